//! What a `change` does to the page.

use super::{Declared, Stage, audience, owned};
use pageport::surface::{Hooks, Rejection, default_approval};
use pageport::wire::{Approval, Effect};
use serde_json::{Value, json};

impl Stage {
    /// Changes the page as far as it lets itself be changed.
    pub(crate) fn change(&mut self, change: &Value) -> Result<(), Rejection> {
        for (name, members) in change["sessions"].as_object().into_iter().flatten() {
            merge(self.sessions.entry(name.clone()).or_insert(Value::Null), members);
        }
        for (kind, items) in change["records"].as_object().into_iter().flatten() {
            self.change_records(kind, items);
        }
        if let Some(user) = change.get("user") {
            self.user = Some(user.clone());
        }
        for (name, place) in [("object", &mut self.object), ("unavailable", &mut self.unavailable)] {
            if let Some(value) = change.get(name) {
                *place = value.clone();
            }
        }
        for id in change["remove"].as_array().into_iter().flatten() {
            let handle = self.declared.iter().find(|(_, known)| id == known.id.as_str()).map(|(handle, _)| *handle);
            let handle = handle.expect("a declared id");
            self.declared.remove(&handle);
            assert!(self.kernel.remove(handle));
        }
        for kind in change["removeSources"].as_array().into_iter().flatten() {
            let place = self.records.iter().position(|(_, source)| source["type"] == *kind).expect("a declared type");
            assert!(self.kernel.remove(self.records.remove(place).0));
        }
        for region in change["regions"].as_array().into_iter().flatten() {
            self.kernel.add_region(&owned(region))?;
        }
        for source in change["sources"].as_array().into_iter().flatten() {
            self.add_source(source)?;
        }
        for (key, value) in change["state"].as_object().into_iter().flatten() {
            if !self.state.contains_key(key) {
                let options = self.page["states"][key].clone();
                let handle = self.kernel.add_state(&owned(&audience(&options, json!({ "key": key }))))?;
                self.states.push((handle, key.clone()));
            }
            self.state.insert(key.clone(), value.clone());
        }
        for item in change["feedback"].as_array().into_iter().flatten() {
            self.kernel.add_feedback(&owned(item))?;
        }
        for capability in change["declare"].as_array().into_iter().flatten() {
            self.declare(capability)?;
        }
        Ok(())
    }

    fn declare(&mut self, capability: &Value) -> Result<(), Rejection> {
        let mut declared = capability.clone();
        let members = declared.as_object_mut().expect("an object");
        let handler = members.remove("handler").unwrap_or_default();
        let expect = members.remove("expect");
        let [reads, writes, destroys] = ["read", "write", "destructive"].map(|effect| self.approval_for(effect));
        let policy = |effect| {
            let said = match effect {
                Effect::Read => &reads,
                Effect::Write => &writes,
                Effect::Destructive => &destroys,
            };
            said.unwrap_or_else(|| default_approval(effect))
        };
        let (handle, unknown) =
            self.kernel.declare(&owned(&declared), Hooks { expects: expect.is_some(), refines: false }, &policy)?;
        // Keywords of its schemas that mean nothing are told once each.
        self.errors.extend(unknown.iter().map(|_| json!({ "capability": capability["id"] })));
        let id = capability["id"].as_str().expect("an id").into();
        self.declared.insert(handle, Declared { id, handler, expect: expect.unwrap_or_default() });
        Ok(())
    }

    /// What the page's policy says; anything but a word it may say means always.
    fn approval_for(&mut self, effect: &str) -> Option<Approval> {
        let code = self.page.get("policy")?.get(effect)?.clone();
        let code = self.turn(effect, &code);
        Some(match code["returns"].as_str() {
            Some("none") => Approval::None,
            Some("ask") => Approval::Ask,
            _ => Approval::Always,
        })
    }

    fn add_source(&mut self, source: &Value) -> Result<(), Rejection> {
        let gets = source["lists"] != Value::Bool(true);
        let shown: Vec<_> =
            source["fields"].as_object().into_iter().flatten().filter(|(_, show)| *show != "omit").collect();
        let fields: serde_json::Map<_, _> =
            shown.into_iter().map(|(name, show)| (name.clone(), show.clone())).collect();
        let mut declared = audience(source, json!({ "type": source["type"], "gets": gets, "fields": fields }));
        if let Some(region) = source.get("region") {
            declared["region"] = region.clone();
        }
        let handle = self.kernel.add_source(&owned(&declared))?;
        self.records.push((handle, source.clone()));
        Ok(())
    }

    fn change_records(&mut self, kind: &str, items: &Value) {
        let source = self.records.iter_mut().map(|(_, source)| source).find(|source| source["type"] == *kind);
        let source = source.expect("a declared type");
        let id_field = source["idField"].as_str().unwrap_or("id").to_owned();
        let list = source["items"].as_array_mut().expect("items");
        for (id, members) in items.as_object().into_iter().flatten() {
            let found = list.iter().position(|item| item[&id_field] == id.as_str());
            match (found, members) {
                (Some(index), Value::Null) => drop(list.remove(index)),
                (Some(index), members) => merge(&mut list[index], members),
                (None, members) => list.push(members.clone()),
            }
        }
    }
}

fn merge(target: &mut Value, members: &Value) {
    match (target.as_object_mut(), members) {
        (Some(target), Value::Object(members)) => {
            target.extend(members.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        _ => *target = members.clone(),
    }
}

//! What the page's providers give.

use super::{Stage, owned};
use pageport::surface::{CallId, Failed, Handle, Input, Read};
use pageport::wire::Json;
use serde_json::{Map, Value, json};

use super::code::{Outcome, Role};

impl Stage {
    /// Calls a provider.
    pub(super) fn provide(&mut self, id: CallId, read: Read) -> Option<Input> {
        let (key, code) = match &read {
            Read::Identity => ("page".into(), self.page["identity"].clone()),
            Read::Object(_) => ("object".into(), self.page["object"]["code"].clone()),
            Read::Unavailable(_) => ("unavailable".into(), self.page["unavailable"]["code"].clone()),
            Read::State(handle) => {
                let key = self.state_key(*handle);
                (format!("state:{key}"), self.page["states"][key]["code"].clone())
            }
            Read::Window { source, .. } | Read::Record { source, .. } => {
                let source = self.source_of(*source);
                (format!("records:{}", source["type"]), source["code"].clone())
            }
        };
        self.run(id, &key, &code, Role::Read(read))
    }

    /// What the provider's code came to, as the kernel takes it.
    pub(super) fn provided(&mut self, id: CallId, read: &Read, outcome: Outcome) -> Result<Json, Failed> {
        match outcome {
            Outcome::Threw | Outcome::Raised(_) => Err(Failed),
            Outcome::Value(value) => self.given(id, read, value),
            Outcome::Natural => {
                let value = match read {
                    Read::Identity => json!({ "title": self.page["title"], "route": self.page["route"] }),
                    Read::Object(_) => self.object.clone(),
                    Read::Unavailable(_) => self.unavailable.clone(),
                    Read::State(handle) => self.state[self.state_key(*handle)].clone(),
                    Read::Window { source, .. } => self.source_of(*source)["items"].clone(),
                    Read::Record { source, id: wanted, .. } => {
                        let source = self.source_of(*source);
                        let named = |item: &&Value| item[id_field(source)] == wanted.as_str();
                        let found = source["items"].as_array().expect("items").iter().find(named);
                        found.cloned().unwrap_or_default()
                    }
                };
                self.given(id, read, value)
            }
        }
    }

    /// Items become windows and rows, as the shim makes them.
    fn given(&mut self, id: CallId, read: &Read, value: Value) -> Result<Json, Failed> {
        Ok(owned(&match read {
            Read::Window { source, offset, limit, ids } => {
                let source = self.source_of(*source);
                let items = value.as_array().ok_or(Failed)?;
                let part = |count: f64| items.iter().skip(*offset as usize).take(count as usize);
                let rows: Vec<Value> = part(*limit).map(|item| row(source, item)).collect();
                let ids: Vec<&Value> = part(*ids).map(|item| &item[id_field(source)]).collect();
                json!({ "total": items.len(), "ids": ids, "rows": rows })
            }
            Read::Record { source, keep, .. } if !value.is_null() => {
                let row = row(self.source_of(*source), &value);
                if let Some(live) = self.known(id).filter(|_| *keep) {
                    live.item = value;
                }
                row
            }
            _ => value,
        }))
    }

    fn source_of(&self, handle: Handle) -> &Value {
        self.records.iter().find(|(known, _)| *known == handle).map(|(_, source)| source).expect("a source")
    }

    fn state_key(&self, handle: Handle) -> &str {
        self.states.iter().find(|(known, _)| *known == handle).map(|(_, key)| key.as_str()).expect("a state key")
    }
}

fn id_field(source: &Value) -> &str {
    source["idField"].as_str().unwrap_or("id")
}

fn row(source: &Value, item: &Value) -> Value {
    let names = source["fields"].as_object().expect("fields").keys();
    let fields: Map<String, Value> =
        names.filter_map(|name| item.get(name).map(|value| (name.clone(), value.clone()))).collect();
    let offscreen =
        source.get("visible").is_some_and(|name| item[name.as_str().expect("a member")] == Value::Bool(false));
    json!({ "id": item[id_field(source)], "offscreen": offscreen, "fields": fields })
}

//! A plugin's manifest (Host §2). [`crate::operations::manifest`] reads and checks it.

use super::Json;
use serde::Serialize;

words! {
    /// What a plugin may do beyond answering.
    Permission {
        /// Have scripts put into pages.
        InjectPageScript = "inject-page-script";
        /// Have those scripts talk to the host.
        PageBridge = "page-bridge";
        /// Publish resources.
        EmitResource = "emit-resource";
        /// Create downloads.
        EnqueueDownload = "enqueue-download";
    }
}

words! {
    /// What an operation is for.
    OperationCategory {
        /// Finds items.
        Search = "search";
        /// Tells more about one item.
        Detail = "detail";
        /// Reads what the page shows now.
        CurrentContent = "current-content";
        /// Lists items.
        List = "list";
        /// Finds out what an item needs to be published.
        Resolve = "resolve";
        /// Reads text.
        Text = "text";
        /// Anything else.
        Custom = "custom";
    }
}

words! {
    /// What an operation does.
    OperationEffect {
        /// Reads.
        Read = "read";
        /// Changes the page.
        Page = "page";
        /// Publishes resources.
        Publish = "publish";
        /// Creates downloads.
        Download = "download";
    }
}

macro_rules! parts {
    ($($item:item)+) => {$(
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
        #[serde(rename_all = "camelCase")]
        $item
    )+};
}

parts! {
    /// A plugin's manifest, valid; what may be left out is filled in.
    #[cfg_attr(feature = "ts", ts(rename = "PluginManifest"))]
    pub struct Manifest {
        /// 1–64 letters, digits, `.`, `-`, `_`.
        pub id: String,
        /// 1–64 characters.
        pub version: String,
        /// For people, 1–128 characters.
        pub name: String,
        /// What the plugin may do.
        pub permissions: Vec<Permission>,
        /// The sites it is for: `host` or `*.host`.
        pub domains: Vec<String>,
        /// Its scripts; at most 8.
        pub page_scripts: Vec<PageScript>,
        /// Its operations; at most 32.
        #[cfg_attr(feature = "ts", ts(type = "{ [id: string]: PluginOperation }"))]
        #[serde(serialize_with = "by_id")]
        pub operations: Vec<Operation>,
        /// What is shown beside the resources it publishes.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub resources: Option<ResourceOptions>,
    }

    /// A script of a plugin that runs in pages.
    pub struct PageScript {
        /// 1–64 letters, digits, `.`, `-`, `_`.
        pub id: String,
        /// A `.js` file inside the plugin's folder, as a relative path with `/`.
        pub file: String,
        /// Whether it handles operations.
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
        pub bridge: bool,
        /// The pages it is for; absent means all of `domains`.
        #[serde(rename = "match", skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<MatchRule>>"))]
        pub matches: Vec<MatchRule>,
    }

    /// Pages, by their URL.
    pub struct MatchRule {
        /// `host` or `*.host`; a port other than the scheme's default as `host:port`.
        pub host: String,
        /// The exact path, or a prefix that ends in `*`; absent means every path.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub path: Option<String>,
    }

    /// An operation of a plugin.
    #[cfg_attr(feature = "ts", ts(rename = "PluginOperation"))]
    pub struct Operation {
        /// Its key in `operations`.
        #[serde(skip)]
        pub id: String,
        /// For people, 1–128 characters.
        pub name: String,
        /// What it does, at most 2048 characters.
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<String>"))]
        pub description: String,
        /// Names and descriptions in other languages.
        #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "by_tag")]
        #[cfg_attr(feature = "ts", ts(optional, type = "{ [tag: string]: OperationLocale }"))]
        pub locales: Vec<Locale>,
        /// What it is for.
        pub category: OperationCategory,
        /// The script that handles it; one with `bridge: true`.
        pub page_script: String,
        /// The pages it can run on; absent means those of the script.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<MatchRule>>"))]
        pub page_match: Vec<MatchRule>,
        /// Whether it runs only where somebody is signed in.
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
        pub requires_login: bool,
        /// Describes the input, an object.
        pub input_schema: Json,
        /// Describes `data` of the result.
        pub output_schema: Json,
        /// Inputs to try; at most 4.
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<Json>>"))]
        pub examples: Vec<Json>,
        /// What it does; at least one.
        pub effects: Vec<OperationEffect>,
        /// Seconds it may run: 1–1800.
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<u32>"))]
        pub timeout_seconds: u32,
        /// Whether it may be cancelled while it runs.
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
        pub cancellable: bool,
        /// Whether a person may try it again; only with `read` alone.
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
        pub safe_retry: bool,
        /// Whether its handler may reload the page once; only with `page`.
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
        pub allow_reload: bool,
        /// Whether programs and agents may call it by default.
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
        pub automation: bool,
        /// Whether the marked parts of its result are stored.
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
        pub persist_result: bool,
        /// Seconds a result is kept at most; 0 means as long as the host says.
        #[serde(rename = "resultTTLSeconds")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<u32>"))]
        pub result_ttl_seconds: u32,
    }

    /// An operation in another language.
    #[cfg_attr(feature = "ts", ts(rename = "OperationLocale"))]
    pub struct Locale {
        /// The language's BCP 47 tag.
        #[serde(skip)]
        pub tag: String,
        /// For people.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// What it does.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub description: Option<String>,
    }

    /// What is shown beside the resources a plugin publishes.
    pub struct ResourceOptions {
        /// The buttons.
        #[cfg_attr(feature = "ts", ts(type = "{ [id: string]: ResourceAction }"))]
        #[serde(serialize_with = "by_action")]
        pub actions: Vec<ResourceAction>,
    }

    /// A button beside a resource: runs an operation with the input that was saved with the resource.
    pub struct ResourceAction {
        /// Its key in `actions`.
        #[serde(skip)]
        pub id: String,
        /// Always `"operation"`.
        #[cfg_attr(feature = "ts", ts(type = "\"operation\""))]
        pub kind: &'static str,
        /// The operation.
        pub operation: String,
    }
}

fn by_id<S: serde::Serializer>(operations: &[Operation], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(operations.iter().map(|operation| (&operation.id, operation)))
}

fn by_tag<S: serde::Serializer>(locales: &[Locale], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(locales.iter().map(|locale| (&locale.tag, locale)))
}

fn by_action<S: serde::Serializer>(actions: &[ResourceAction], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(actions.iter().map(|action| (&action.id, action)))
}

impl Manifest {
    /// The operation with this id.
    #[must_use]
    pub fn operation(&self, id: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.id == id)
    }

    /// The operations that a script handles.
    pub fn operations_of<'a>(&'a self, script_id: &'a str) -> impl Iterator<Item = &'a Operation> {
        self.operations.iter().filter(move |operation| operation.page_script == script_id)
    }
}

impl Operation {
    /// Whether it does this.
    #[must_use]
    pub fn has(&self, effect: OperationEffect) -> bool {
        self.effects.contains(&effect)
    }
}

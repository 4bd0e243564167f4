//! Prints a TypeScript module of the wire for the build: `types`, every message; `codes`, the code tables.

use pageport::wire::types;

// A program of the build, not part of the page crate: it may read its arguments.
#[expect(clippy::disallowed_methods, reason = "the argument says what to print")]
fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("types") => println!("{}", types::declarations().join("\n\n")),
        Some("codes") => print!("{}", types::codes_module()),
        _ => eprintln!("usage: types (types | codes)"),
    }
}

//! JSON Schema: the compiler and the validator.

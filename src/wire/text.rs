//! Writes wire types as JSON text.

use super::NumberText;
use super::canonical::{write_number, write_text};
use serde::ser::{self, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use std::fmt;

/// A value as compact JSON text, numbers as ECMAScript prints them.
///
/// Wire types are made of objects, arrays, strings, booleans and finite numbers, so that writing them cannot fail.
#[must_use]
pub fn to_text<T: Serialize + ?Sized>(value: &T, number_text: NumberText) -> String {
    let mut writer = Writer { text: String::with_capacity(256), number_text };
    match value.serialize(&mut writer) {
        Ok(()) => writer.text,
        Err(never) => match never {},
    }
}

/// The text so far. It is a serializer of its own because serde_json's costs three times the bytes.
struct Writer {
    text: String,
    number_text: NumberText,
}

impl Writer {
    fn write(&mut self, word: &str) {
        self.text.push_str(word);
    }

    fn number(&mut self, value: f64) {
        write_number(value, self.number_text, &mut self.text);
    }

    fn string(&mut self, text: &str) {
        write_text(text, &mut self.text);
    }

    /// Goes on to the next item or member.
    fn next(&mut self) {
        if !self.text.ends_with(['[', '{']) {
            self.text.push(',');
        }
    }

    fn name(&mut self, name: &str) {
        self.next();
        self.string(name);
        self.text.push(':');
    }
}

/// Why writing fails: never.
#[derive(Debug)]
enum Never {}

impl fmt::Display for Never {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for Never {}

impl ser::Error for Never {
    fn custom<T: fmt::Display>(_: T) -> Self {
        unreachable!("wire types do not fail")
    }
}

/// What no wire type is made of.
fn foreign<T>() -> Result<T, Never> {
    unreachable!("a wire type that is not JSON")
}

type Written = Result<(), Never>;

impl<'a> Serializer for &'a mut Writer {
    type Ok = ();
    type Error = Never;
    type SerializeSeq = Array<'a>;
    type SerializeMap = Object<'a>;
    type SerializeStruct = Object<'a>;
    type SerializeTuple = Impossible<(), Never>;
    type SerializeTupleStruct = Impossible<(), Never>;
    type SerializeTupleVariant = Impossible<(), Never>;
    type SerializeStructVariant = Impossible<(), Never>;

    fn serialize_bool(self, value: bool) -> Written {
        self.write(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Written {
        self.serialize_f64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Written {
        self.serialize_f64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Written {
        self.serialize_f64(value.into())
    }

    #[expect(clippy::cast_precision_loss, reason = "JSON has doubles")]
    fn serialize_i64(self, value: i64) -> Written {
        self.serialize_f64(value as f64)
    }

    fn serialize_u8(self, value: u8) -> Written {
        self.serialize_f64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Written {
        self.serialize_f64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Written {
        self.serialize_f64(value.into())
    }

    #[expect(clippy::cast_precision_loss, reason = "JSON has doubles")]
    fn serialize_u64(self, value: u64) -> Written {
        self.serialize_f64(value as f64)
    }

    fn serialize_f32(self, value: f32) -> Written {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Written {
        self.number(value);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Written {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Written {
        self.string(text);
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Written {
        foreign()
    }

    fn serialize_none(self) -> Written {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        self.write("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Written {
        foreign()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Array<'a>, Never> {
        self.write("[");
        Ok(Array(self))
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Never> {
        foreign()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Never> {
        foreign()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Never> {
        foreign()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Object<'a>, Never> {
        self.write("{");
        Ok(Object(self))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Object<'a>, Never> {
        self.serialize_map(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Never> {
        foreign()
    }
}

/// An array that is being written.
struct Array<'a>(&'a mut Writer);

impl SerializeSeq for Array<'_> {
    type Ok = ();
    type Error = Never;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, item: &T) -> Written {
        self.0.next();
        item.serialize(&mut *self.0)
    }

    fn end(self) -> Written {
        self.0.write("]");
        Ok(())
    }
}

/// An object that is being written.
struct Object<'a>(&'a mut Writer);

impl SerializeStruct for Object<'_> {
    type Ok = ();
    type Error = Never;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Written {
        self.0.name(name);
        value.serialize(&mut *self.0)
    }

    fn end(self) -> Written {
        self.0.write("}");
        Ok(())
    }
}

impl SerializeMap for Object<'_> {
    type Ok = ();
    type Error = Never;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Written {
        self.0.next();
        name.serialize(&mut *self.0)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.0.write(":");
        value.serialize(&mut *self.0)
    }

    fn end(self) -> Written {
        self.0.write("}");
        Ok(())
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use crate::wire::{Json, number_text};

    #[test]
    fn numbers_are_written_as_ecmascript_does() {
        for (value, expected) in [
            (20.0, "20"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (1e21, "1e+21"),
            (1e-7, "1e-7"),
            (9_007_199_254_740_992.0, "9007199254740992"),
        ] {
            assert_eq!(to_text(&Json::Number(value), number_text), expected);
        }
        let text = Json::String("\u{1}\"\\\u{1f600}\u{2028}".into());
        assert_eq!(to_text(&text, number_text), "\"\\u0001\\\"\\\\\u{1f600}\u{2028}\"");
    }

    #[test]
    fn arrays_and_objects_are_written_as_serde_json_does() {
        let value = Json::parse(r#"{"a":[],"b":[{},"[{",[1,2,null]],"c":{"d":true,"e":{"f":false}}}"#).expect("JSON");
        assert_eq!(to_text(&value, number_text), serde_json::to_string(&value).expect("serialises"));
    }
}

// Makes a form from a capability's JSON Schema, and an input from the form.

import type { CapabilityInfo, Json, Record as SurfaceRecord } from "pageport/client";
import { el } from "../dom.ts";

type Schema = { readonly [key: string]: Json };

interface Field {
  readonly name: string;
  readonly label: HTMLElement;
  /** The value for the input; `undefined` leaves the member out. */
  read(): Json | undefined;
}

/** A form for `capability`; `onSubmit` gets the input. Record parameters offer the records the page described. */
export function createForm(
  capability: CapabilityInfo,
  records: readonly SurfaceRecord[],
  onSubmit: (input: { [key: string]: Json }) => void,
): HTMLFormElement {
  const schema = asSchema(capability.inputSchema);
  const properties = asSchema(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const { record } = capability;

  const fields = Object.keys(properties).map((name) => {
    const must = required.includes(name);
    if (name === record?.param)
      return recordField(
        name,
        records.filter((item) => item.type === record.type),
      );
    return schemaField(name, asSchema(properties[name]), must);
  });
  // The record first: it is what the sentence is about.
  fields.sort((a, b) => Number(b.name === record?.param) - Number(a.name === record?.param));

  const form = el(
    "form",
    { class: "form" },
    ...fields.map((field) => field.label),
    el("button", { class: `button ${capability.effect === "destructive" ? "danger" : "primary"}` }, "Invoke"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const entries = fields.map((field) => [field.name, field.read()] as const);
    onSubmit(Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined)));
  });
  return form;
}

function recordField(name: string, records: readonly SurfaceRecord[]): Field {
  const option = (record: SurfaceRecord) => el("option", { value: record.id }, recordTitle(record));
  const select = el(
    "select",
    { name, required: "" },
    ...records.filter((record) => record.offscreen !== true).map(option),
  );
  const hidden = records.filter((record) => record.offscreen === true);
  if (hidden.length > 0) select.append(el("optgroup", { label: "Not in view" }, ...hidden.map(option)));
  return { name, label: labelled(name, "", true, select), read: () => select.value };
}

/** The id and the first few plain fields: enough to recognise a record of any kind. */
function recordTitle(record: SurfaceRecord): string {
  const words = Object.values(record.fields).filter((value) => typeof value === "string");
  return [record.id, ...words.slice(0, 2)].join(" · ");
}

function schemaField(name: string, schema: Schema, must: boolean): Field {
  const hint = typeof schema.description === "string" ? schema.description : "";
  if (Array.isArray(schema.enum)) return choiceField(name, schema.enum, hint, must);
  switch (schema.type) {
    case "boolean":
      return choiceField(name, [true, false], hint, must);
    case "number":
    case "integer":
      return numberField(name, schema, hint, must);
    case "string":
      return textField(name, schema, hint, must);
    default:
      return jsonField(name, hint, must);
  }
}

function choiceField(name: string, values: readonly Json[], hint: string, must: boolean): Field {
  const options = values.map((value, index) => el("option", { value: String(index) }, String(value)));
  const select = el("select", { name, ...(must && { required: "" }) }, el("option", { value: "" }, "—"), ...options);
  const read = () => (select.value === "" ? undefined : values[Number(select.value)]);
  return { name, label: labelled(name, hint, must, select), read };
}

function numberField(name: string, schema: Schema, hint: string, must: boolean): Field {
  const input = el("input", {
    ...{ name, type: "number", step: schema.type === "integer" ? "1" : "any" },
    ...limits(schema, { minimum: "min", maximum: "max" }),
    ...(schema.default !== undefined && { placeholder: String(schema.default) }),
    ...(must && { required: "" }),
  });
  return { name, label: labelled(name, hint, must, input), read: () => given(input.value, Number) };
}

function textField(name: string, schema: Schema, hint: string, must: boolean): Field {
  const input = el("input", {
    ...{ name, type: "text", autocomplete: "off" },
    ...limits(schema, { minLength: "minlength", maxLength: "maxlength" }),
    ...(must && { required: "" }),
  });
  return { name, label: labelled(name, hint, must, input), read: () => given(input.value, String) };
}

/** Anything else is typed as JSON; text that is not JSON is sent as a string, and the page says what it thinks of it. */
function jsonField(name: string, hint: string, must: boolean): Field {
  const input = el("textarea", { name, rows: "2", placeholder: "JSON", ...(must && { required: "" }) });
  const parse = (text: string): Json => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
  return { name, label: labelled(name, hint, must, input), read: () => given(input.value, parse) };
}

function given(text: string, convert: (text: string) => Json): Json | undefined {
  return text === "" ? undefined : convert(text);
}

/** Copies the schema's limits to the attributes that mean the same. A `pattern` stays with the page: it decides. */
function limits(schema: Schema, names: Readonly<Record<string, string>>): Record<string, string> {
  const present = Object.entries(names).filter(([keyword]) => typeof schema[keyword] === "number");
  return Object.fromEntries(present.map(([keyword, attribute]) => [attribute, String(schema[keyword])]));
}

function labelled(name: string, hint: string, must: boolean, control: HTMLElement): HTMLElement {
  const title = el("span", {}, name, must ? el("span", { class: "must", title: "required" }, " *") : null);
  return el("label", {}, title, control, hint === "" ? null : el("small", {}, hint));
}

function asSchema(value: Json | undefined): Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

//! A schema with every keyword: the generated schema and the original agree on all documents.

use super::node::{self, ZodJob};
use super::places::changed;
use crate::schema::{ZodCheck, reader, typescript, zod};
use sayso_core::model::validation_rules::LengthUnit;
use serde_json::{Value, json};

pub(super) fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Sample ask",
        "description": "One of everything.",
        "type": "object",
        "required": ["shape", "anything"],
        "properties": {
            "anything": { "description": "Whatever */ it is." },
            "shape": { "$ref": "#/$defs/Shape", "description": "A shape." },
            "text": {
                "type": "string", "minLength": 2, "maxLength": 6, "pattern": "^[^ ]", "default": "abc",
                "description": "A text.\nOf two lines.", "examples": ["abd"],
            },
            "whole": { "type": "integer", "minimum": -1, "maximum": 5 },
            "above": { "type": "number", "exclusiveMinimum": 0 },
            "list": { "type": "array", "items": { "enum": ["a", "b"] }, "minItems": 1, "maxItems": 3 },
            "nullable": { "type": ["string", "null"], "maxLength": 3 },
            "moment": { "type": "string", "format": "date-time" },
            "mixed": { "enum": ["a", 1, true, null] },
            "words": { "oneOf": [
                { "type": "string", "const": "up", "description": "Upwards." },
                { "type": "string", "const": "down" },
            ] },
            "map": { "type": "object", "additionalProperties": { "type": "integer" } },
            "numbered": {
                "type": "object", "patternProperties": { "^\\d+$": { "type": "string" } },
                "additionalProperties": false,
            },
            "in quotes": { "type": "object", "additionalProperties": true },
            "empty": { "type": "object", "additionalProperties": false },
            "exactly": { "oneOf": [
                { "type": "object", "required": ["x"], "properties": { "x": { "type": "integer" } } },
                { "type": "object", "required": ["y"] },
            ] },
            "apart": { "oneOf": [
                { "type": "object", "required": ["x"], "properties": { "x": true }, "additionalProperties": false },
                { "type": "object", "required": ["y"], "properties": { "y": true }, "additionalProperties": false },
            ] },
            "both": {
                "type": "object", "required": ["id"], "properties": { "id": { "type": "string" } },
                "anyOf": [{ "required": ["a"] }, { "required": ["b"] }],
            },
            "tree": { "$ref": "#/$defs/Tree" },
            "extended": { "$ref": "#/$defs/Extended" },
        },
        "$defs": {
            "Shape": { "oneOf": [{ "$ref": "#/$defs/Circle" }, { "$ref": "#/$defs/Group" }, { "$ref": "#/$defs/Dot" }] },
            "Circle": {
                "type": "object", "required": ["type", "radius"],
                "properties": { "type": { "const": "circle" }, "radius": { "type": "number", "minimum": 0 } },
            },
            "Dot": { "type": "object", "required": ["type"], "properties": { "type": { "const": "dot" } } },
            "Group": {
                "type": "object", "description": "Shapes in a shape.", "required": ["type", "shapes"],
                "properties": {
                    "type": { "const": "group" },
                    "shapes": { "type": "array", "items": { "$ref": "#/$defs/Shape" } },
                },
            },
            "Tree": { "anyOf": [{ "type": "string" }, { "type": "array", "items": { "$ref": "#/$defs/Tree" } }] },
            "Extended": {
                "type": "object", "properties": { "inner": { "$ref": "#/$defs/Extended" } },
                "additionalProperties": { "anyOf": [{ "$ref": "#/$defs/Extended" }, { "type": "boolean" }] },
            },
            "Alias": { "$ref": "#/$defs/Tree" },
        },
    })
}

fn document() -> Value {
    json!({
        "shape": { "type": "group", "shapes": [{ "type": "circle", "radius": 1.5 }, { "type": "group", "shapes": [] }] },
        "anything": 1, "text": "abc", "whole": 2, "above": 0.5, "list": ["a", "b"], "nullable": "x", "mixed": 1,
        "words": "up", "map": { "a": 1 }, "numbered": { "1": "a" }, "in quotes": { "a": null }, "empty": {},
        "exactly": { "x": 1 }, "apart": { "y": 1 }, "both": { "id": "1", "a": 1 }, "tree": ["a", ["b"]],
        "extended": { "inner": { "a": true }, "b": { "inner": {} } }, "beside": [1],
    })
}

fn job(unit: LengthUnit, checks: &[ZodCheck], documents: &[Value]) -> ZodJob {
    let document = reader::read(&schema(), "Request").unwrap();
    let source = zod::write(
        &document,
        checks,
        zod::ZodRules { length_unit: unit, strips_unknown: false },
        "Made here.",
    )
    .unwrap();
    ZodJob {
        source,
        schema: "SampleAskSchema".to_owned(),
        texts: documents.iter().map(Value::to_string).collect(),
        files: Vec::new(),
    }
}

#[test]
fn zod_agrees_with_the_schema() {
    let schema = jsonschema::draft202012::new(&schema()).unwrap();
    let documents = changed(&document());
    let verdicts = node::verdicts(&[job(LengthUnit::Scalar, &[], &documents)]).concat();
    assert!(verdicts[0]);
    assert!(verdicts.iter().filter(|verdict| !**verdict).count() > 100);
    for (document, verdict) in documents.iter().zip(verdicts) {
        assert_eq!(verdict, schema.is_valid(document), "{document}");
    }
}

#[test]
fn lengths_use_the_dialect_unit() {
    let with = |text: &str| {
        let mut document = document();
        document["text"] = text.into();
        document
    };
    let documents = [with("🦀"), with("🦀🦀🦀🦀"), with("a🦀🦀"), with("a"), with("abcdefg")];
    let jobs = [LengthUnit::Scalar, LengthUnit::Utf16].map(|unit| job(unit, &[], &documents));
    let [scalar, utf16] = node::verdicts(&jobs).try_into().unwrap();
    assert_eq!(scalar, [false, true, true, false, false]);
    assert_eq!(utf16, [true, false, true, false, false]);
}

#[test]
fn checks_apply_at_their_definition() {
    let checks = [
        ZodCheck {
            definition: "Circle",
            zod: "if (value.radius === 7) ctx.addIssue({ code: \"custom\", message: \"7\" });",
        },
        ZodCheck {
            definition: "",
            zod: "if (value.anything === 7)\n  ctx.addIssue({ code: \"custom\", message: \"7\" });",
        },
    ];
    let mut documents = [document(), document(), document()];
    documents[1]["shape"]["shapes"][0]["radius"] = json!(7);
    documents[2]["anything"] = json!(7);
    let verdicts = node::verdicts(&[job(LengthUnit::Scalar, &checks, &documents)]);
    assert_eq!(verdicts, [[true, false, false]]);
}

#[test]
fn zod_source_matches_the_schema() {
    let source = job(LengthUnit::Scalar, &[], &[]).source;
    for part in [
        "// Made here.\n\nimport * as z from \"zod\";\n",
        "export const CircleSchema = z.looseObject({\n  type: z.literal(\"circle\"),\n  radius: z.number().min(0),\n});",
        "  get shapes() { return z.array(ShapeSchema); },\n}).describe(\"Shapes in a shape.\");",
        "export const ShapeSchema = z.discriminatedUnion(\"type\", [\n  CircleSchema,\n  GroupSchema,\n  DotSchema,\n]);",
        "  z.array(z.lazy(() => TreeSchema)),\n",
        "export const AliasSchema = TreeSchema;",
        "  shape: ShapeSchema.describe(\"A shape.\"),\n  anything: z.unknown().describe(\"Whatever */ it is.\"),",
        "    \"up\", // Upwards.\n    \"down\",\n",
        "  \"in quotes\": z.looseObject({}).optional(),",
        "  exactly: z.union([\n    z.looseObject({",
        "  apart: z.union([\n    z.strictObject({",
        "  numbered: z.record(z.string().regex(new RegExp(\"^\\\\d+$\", \"u\")), z.string()).optional(),",
    ] {
        assert!(source.contains(part), "{part}\n\nis not in\n\n{source}");
    }
}

const USED: &str = r#"
import type { Alias, SampleAsk, Shape } from "./sample.js";

const least: SampleAsk = { shape: { type: "dot" }, anything: null };
const shapes: Shape = { type: "group", shapes: [{ type: "circle", radius: 1 }] };
const alias: Alias = ["a", ["b"]];
export const more: SampleAsk = {
  ...least, shape: shapes, text: "a", list: ["a"], nullable: null, mixed: true, words: "up", map: { a: 1 },
  numbered: { 1: "a" }, "in quotes": { a: alias }, empty: {}, exactly: { x: 1 }, both: { id: "1", a: 1 },
  extended: { inner: {}, b: true },
};
export const length: number | undefined = more.text?.length;

// @ts-expect-error: a shape must be there.
export const noShape: SampleAsk = { anything: 1 };
// @ts-expect-error: what may be left out is not given as undefined.
export const nothing: SampleAsk = { ...least, text: undefined };
// @ts-expect-error: there may be none.
export const maybe: number = more.text.length;
// @ts-expect-error: no such word.
export const word: SampleAsk = { ...least, words: "left" };
// @ts-expect-error: no such shape.
export const shape: Shape = { type: "square" };
// @ts-expect-error: of another shape.
export const radius: Shape = { type: "dot", radius: 1 };
// @ts-expect-error: no such value.
export const mixed: SampleAsk = { ...least, mixed: 2 };
// @ts-expect-error: not a number.
export const map: SampleAsk = { ...least, map: { a: "1" } };
// @ts-expect-error: nothing may stand in it.
export const empty: SampleAsk = { ...least, empty: { a: 1 } };
"#;

#[test]
fn typescript_accepts_only_valid_values() {
    let document = reader::read(&schema(), "Request").unwrap();
    let types = typescript::write(&document, "Made here.").unwrap();
    let files = [("sample.ts", types.as_str()), ("used.ts", USED)];
    assert_eq!(node::compile(&files.map(|(name, text)| (name.to_owned(), text.to_owned()))), "");
    for part in [
        "// Made here.\n\n/** One of everything. */\nexport interface SampleAsk {\n  /** A shape. */\n  shape: Shape;\n  /** Whatever *\\/ it is. */\n  anything: unknown;\n",
        "  /**\n   * A text.\n   * Of two lines.\n   * @default \"abc\"\n   * @example \"abd\"\n   */\n  text?: string;\n",
        "  list?: (\"a\" | \"b\")[];\n",
        "  nullable?: string | null;\n",
        "  words?:\n    /** Upwards. */\n    | \"up\"\n    | \"down\";\n",
        "  numbered?: Record<string, string>;\n",
        "  \"in quotes\"?: Record<string, unknown>;\n",
        "export type Shape = Circle | Group | Dot;\n",
        "export type Alias = Tree;\n",
    ] {
        assert!(types.contains(part), "{part}\n\nis not in\n\n{types}");
    }
}

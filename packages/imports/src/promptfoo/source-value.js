import { fieldsOf, isObject, listOf } from "@assay/json";
import { AssayError } from "@assay/schemas/errors";
/** References that are followed to reach a value. */
const MAX_REFERENCES = 20;
/** Returns the value of a document. `$ref: "#/…"` in it is replaced by what it names. @throws `bad_document` */
export function sourceValue(root) {
    return valueAt(root, root.value, "", 0);
}
function valueAt(root, value, pointer, followed) {
    if (isObject(value) && typeof value["$ref"] === "string")
        return referenced(root, value["$ref"], pointer, followed);
    return {
        value,
        get location() {
            return root.locationOf(pointer);
        },
        at(key) {
            const inside = Array.isArray(value) ? listOf(value)[Number(key)] : ownValue(value, String(key));
            return valueAt(root, inside, `${pointer}/${escaped(String(key))}`, followed);
        },
    };
}
function referenced(root, reference, pointer, followed) {
    const location = root.locationOf(pointer);
    if (!reference.startsWith("#/") || followed >= MAX_REFERENCES) {
        throw new AssayError("bad_document", `${location}: '${reference.slice(0, 80)}' can't be followed; name a value of this file, such as '#/assertionTemplates/name'.`);
    }
    let inside = root.value;
    for (const step of reference.slice(2).split("/")) {
        const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
        inside = Array.isArray(inside) ? inside[Number(key)] : ownValue(inside, key);
    }
    if (inside === undefined) {
        throw new AssayError("bad_document", `${location}: '${reference.slice(0, 80)}' names no value of this file.`);
    }
    return valueAt(root, inside, reference.slice(1), followed + 1);
}
function ownValue(value, key) {
    return isObject(value) && Object.hasOwn(value, key) ? fieldsOf(value)[key] : undefined;
}
function escaped(key) {
    return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
/** Returns the items of a list; a value that is not a list is its only item, and an absent value has none. */
export function itemsOf(source) {
    if (source.value === undefined || source.value === null)
        return [];
    return Array.isArray(source.value) ? source.value.map((_, index) => source.at(index)) : [source];
}
/** Returns the text of a value; undefined if it is not a text. */
export function textOf({ value }) {
    return typeof value === "string" ? value : undefined;
}
/** Returns a value whose parts are all read, with references replaced. */
export function plainValue(source, depth = 0) {
    const { value } = source;
    if (depth > 64)
        throw new AssayError("bad_document", `${source.location}: The value is nested too deeply.`);
    if (Array.isArray(value))
        return value.map((_, index) => plainValue(source.at(index), depth + 1));
    if (!isObject(value))
        return value;
    return Object.fromEntries(Object.keys(value).map((key) => [key, plainValue(source.at(key), depth + 1)]));
}

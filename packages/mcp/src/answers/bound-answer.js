import { cutText } from "@assay/reports";
import { isExactNumber } from "@assay/json";
/** Characters of the items of one answer as JSON: about 8,000 tokens of a model. */
const MAX_ITEMS_CHARACTERS = 30000;
/** Characters of one item as JSON. */
const MAX_ITEM_CHARACTERS = 6000;
/** Characters of one text within an item. */
export const MAX_TEXT_CHARACTERS = 2000;
/** Keeps the items that fit into an answer, with long texts cut. At least one is kept. */
export function boundItems(items, options) {
    const { noun, rest, shorten } = options;
    const kept = [];
    let room = MAX_ITEMS_CHARACTERS;
    let cut = 0;
    for (const item of items) {
        const bound = cutTexts(item);
        const text = JSON.stringify(bound);
        const isLarge = text.length > MAX_ITEM_CHARACTERS;
        const short = isLarge && shorten !== undefined ? shorten(bound, cutText(text, MAX_ITEM_CHARACTERS / 2)) : bound;
        room -= JSON.stringify(short).length;
        if (room < 0 && kept.length > 0)
            break;
        if (short !== item && JSON.stringify(item) !== JSON.stringify(short))
            cut += 1;
        kept.push(short);
    }
    const notes = [
        ...(kept.length < items.length
            ? [`Only ${kept.length} of ${items.length} ${noun}s fit into this answer. ${rest(kept.length)}`]
            : []),
        ...(cut === 0 ? [] : [`Long texts are cut in ${cut} of these ${noun}s; an ellipsis shows where.`]),
    ];
    return { kept, notes };
}
/** Returns a copy of a value with every text cut. Exact numbers keep their text. */
export function cutTexts(value, limit = MAX_TEXT_CHARACTERS) {
    if (typeof value === "string")
        return cutText(value, limit);
    if (typeof value !== "object" || value === null || isExactNumber(value))
        return value;
    if (Array.isArray(value))
        return value.map((item) => cutTexts(item, limit));
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutTexts(inner, limit)]));
}
/** Returns the notes of an answer as a field, or nothing if there are none. */
export function withNotes(...notes) {
    const all = notes.flatMap((note) => note ?? []);
    return all.length === 0 ? {} : { notes: all };
}

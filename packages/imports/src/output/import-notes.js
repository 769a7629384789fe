/** Further kinds of notes are counted as one. */
const MAX_NOTES = 500;
export function createImportNotes() {
    const notes = new Map();
    return {
        add(given) {
            const isFull = notes.size >= MAX_NOTES;
            const rest = {
                location: given.location,
                part: "others",
                outcome: given.outcome,
                detail: "further parts",
            };
            const note = isFull && !notes.has(keyOf(given)) ? rest : given;
            const key = keyOf(note);
            const known = notes.get(key);
            notes.set(key, known === undefined ? { ...note, count: 1 } : { ...known, count: known.count + 1 });
        },
        list: () => [...notes.values()],
    };
}
function keyOf({ part, outcome, detail }) {
    return JSON.stringify([part, outcome, detail]);
}

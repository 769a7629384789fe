import { Type } from "@sinclair/typebox";
import { boundItems, withNotes } from "../answers/bound-answer.ts";
import { defineTool } from "../tool.ts";
import { addressOf, filesetField, limitField, notesField, pathField } from "./fields.ts";
const Issue = Type.Object({
    row_index: Type.Integer(),
    line: Type.Union([Type.Integer(), Type.Null()]),
    pointer: Type.String({ description: "JSON pointer to the value within the row." }),
    message: Type.String(),
});
const MAX_LISTED_PATHS = 50;
export const validateDataset = defineTool({
    name: "validate_dataset",
    title: "Validate a dataset",
    description: "Reads every row of a dataset and checks it against the schema of its fileset: how many rows are valid, and the first faults with their rows and lines.",
    effect: "reads",
    input: Type.Object({
        fileset: filesetField,
        path: Type.Optional(pathField("Only this file, or the files below this folder.")),
        max_issues: limitField("listed faults of each file", 10, 100),
    }, { additionalProperties: false }),
    output: Type.Object({
        rows: Type.Integer(),
        valid: Type.Integer(),
        invalid: Type.Integer(),
        files: Type.Array(Type.Object({
            path: Type.String(),
            has_schema: Type.Boolean({ description: "Without a schema, rows only have to be readable." }),
            rows: Type.Integer(),
            invalid: Type.Integer(),
            issues: Type.Array(Issue),
            issues_truncated: Type.Boolean({ description: "Whether there are more faults than are listed." }),
        })),
        notes: notesField,
    }),
    run: async ({ fileset, path, max_issues }, { client, workspace, signal }) => {
        const [owner, name] = addressOf(fileset, workspace);
        const query = { max_issues, ...(path === undefined ? {} : { path }) };
        const { rows, valid, invalid, files, without_schema } = await client.rows.validate(owner, name, query, { signal });
        const listed = files.map((file) => ({
            path: file.path,
            has_schema: file.schema !== null,
            rows: file.rows,
            invalid: file.invalid,
            issues: file.issues.map(({ row_index, line, pointer, message }) => ({ row_index, line, pointer, message })),
            issues_truncated: file.issues_truncated,
        }));
        // Files with faults first: they are what the caller has to see.
        const { kept, notes } = boundItems(listed.toSorted((a, b) => Number(b.invalid > 0) - Number(a.invalid > 0)), {
            noun: "file",
            rest: () => "Name one of the others in path.",
            shorten: (file) => ({ ...file, issues: file.issues.slice(0, 5), issues_truncated: true }),
        });
        const shown = without_schema.slice(0, MAX_LISTED_PATHS).join(", ");
        const unchecked = without_schema.length === 0 ? [] : [`${without_schema.length} files have no schema: ${shown}.`];
        return { rows, valid, invalid, files: [...kept], ...withNotes(notes, unchecked) };
    },
});

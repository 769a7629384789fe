import { Type } from "@sinclair/typebox";
import { boundItems, withNotes } from "../answers/bound-answer.ts";
import { defineTool } from "../tool.ts";
import { addressOf, filesetField, limitField, notesField, pathField } from "./fields.ts";
export const listFiles = defineTool({
    name: "list_files",
    title: "List files",
    description: "Lists the files of a fileset with their sizes, in the order of their paths.",
    effect: "reads",
    input: Type.Object({
        fileset: filesetField,
        path: Type.Optional(pathField("Only this file, and the files below the folder with this path.")),
        contains: Type.Optional(pathField("Only files whose path has this text, whatever its case.")),
        limit: limitField("files", 100, 200),
        page_token: Type.Optional(Type.String({ minLength: 1, maxLength: 10000, description: "`next_page_token` of the previous answer." })),
    }, { additionalProperties: false }),
    output: Type.Object({
        files: Type.Array(Type.Object({
            path: Type.String(),
            size: Type.Integer({ description: "Bytes." }),
            updated_at: Type.Union([Type.String(), Type.Null()]),
        })),
        next_page_token: Type.Union([Type.String(), Type.Null()], {
            description: "Continue with this page_token; null: there is no more.",
        }),
        notes: notesField,
    }),
    run: async ({ fileset, limit, ...query }, { client, workspace, signal }) => {
        const [owner, name] = addressOf(fileset, workspace);
        const page = await client.files.page(owner, name, { ...query, limit }, { signal });
        const files = page.data.map(({ path, size, updated_at }) => ({ path, size, updated_at }));
        const { kept, notes } = boundItems(files, { noun: "file", rest: (count) => `Ask again with limit ${count}.` });
        // A page that does not fit is asked for again, so its token would skip files.
        const next = kept.length === files.length ? (page.next_page_token ?? null) : (query.page_token ?? null);
        return { files: [...kept], next_page_token: next, ...withNotes(notes) };
    },
});

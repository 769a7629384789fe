import { enumeration, numberField, PURPOSES } from "@assay/schemas";
import { Type } from "@sinclair/typebox";
import { boundItems, withNotes } from "../answers/bound-answer.ts";
import { defineTool } from "../tool.ts";
import { limitField, notesField, workspaceField } from "./fields.ts";
export const listFilesets = defineTool({
    name: "list_filesets",
    title: "List filesets",
    description: "Lists filesets, the named collections of files that hold datasets and models, the newest first. Use it to find the data of an evaluation.",
    effect: "reads",
    input: Type.Object({
        workspace: Type.Optional(Type.String({ ...workspaceField, description: `${workspaceField.description} \`-\`: all that you may see.` })),
        name_contains: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: "Only filesets whose name has this text." })),
        purpose: Type.Optional(enumeration(PURPOSES)),
        page: numberField("page", { default: 1, description: "Page number." }),
        page_size: limitField("filesets on the page", 20, 100),
    }, { additionalProperties: false }),
    output: Type.Object({
        filesets: Type.Array(Type.Object({
            fileset: Type.String({ description: "`workspace/name`" }),
            purpose: Type.String(),
            description: Type.String(),
            storage: Type.String(),
            files: Type.Union([Type.Integer(), Type.Null()], { description: "Null: not known." }),
            bytes: Type.Union([Type.Integer(), Type.Null()]),
            updated_at: Type.String(),
        })),
        page: Type.Integer(),
        total_pages: Type.Integer(),
        total: Type.Integer(),
        notes: notesField,
    }),
    run: async ({ workspace, name_contains, purpose, page, page_size }, { client, signal, ...context }) => {
        const filter = {
            ...(name_contains === undefined ? {} : { name: { $like: name_contains } }),
            ...(purpose === undefined ? {} : { purpose }),
        };
        const found = await client.filesets.page(workspace ?? context.workspace, { page, page_size, include: ["usage"], ...(Object.keys(filter).length === 0 ? {} : { filter }) }, { signal });
        const filesets = found.data.map((one) => ({
            fileset: `${one.workspace}/${one.name}`,
            purpose: one.purpose,
            description: one.description,
            storage: one.storage.type,
            files: one.usage?.files ?? null,
            bytes: one.usage?.bytes ?? null,
            updated_at: one.updated_at,
        }));
        const { kept, notes } = boundItems(filesets, {
            noun: "fileset",
            rest: (count) => `Ask for page_size ${count}.`,
        });
        const { total_pages = 1, total_results = filesets.length } = found.pagination ?? {};
        return { filesets: [...kept], page, total_pages, total: total_results, ...withNotes(notes) };
    },
});

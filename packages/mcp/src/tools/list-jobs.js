import { enumeration, JOB_STATUSES, numberField } from "@assay/schemas";
import { Type } from "@sinclair/typebox";
import { boundItems, withNotes } from "../answers/bound-answer.ts";
import { defineTool } from "../tool.ts";
import { limitField, notesField, workspaceField } from "./fields.ts";
export const listJobs = defineTool({
    name: "list_jobs",
    title: "List jobs",
    description: "Lists evaluation jobs, the newest first, to find the id of a job or of a baseline to compare with.",
    effect: "reads",
    input: Type.Object({
        workspace: workspaceField,
        status: Type.Optional(enumeration(JOB_STATUSES)),
        page: numberField("page", { default: 1, description: "Page number." }),
        page_size: limitField("jobs on the page", 20, 50),
    }, { additionalProperties: false }),
    output: Type.Object({
        jobs: Type.Array(Type.Object({
            job: Type.String(),
            name: Type.Union([Type.String(), Type.Null()], { description: "The name of its configuration." }),
            description: Type.String(),
            status: Type.String(),
            created_at: Type.String(),
        })),
        page: Type.Integer(),
        total_pages: Type.Integer(),
        total: Type.Integer(),
        notes: notesField,
    }),
    run: async ({ workspace, status, page, page_size }, { client, signal, ...context }) => {
        const filter = { namespace: workspace ?? context.workspace, ...(status === undefined ? {} : { status }) };
        const found = await client.evaluation.jobs.page({ filter, page, page_size }, { signal });
        const jobs = found.data.map((job) => ({
            job: job.id,
            name: job.config.name ?? null,
            description: job.description,
            status: job.status,
            created_at: job.created_at,
        }));
        const { kept, notes } = boundItems(jobs, { noun: "job", rest: (count) => `Ask for page_size ${count}.` });
        const { total_pages, total_results } = found.pagination;
        return { jobs: [...kept], page, total_pages, total: total_results, ...withNotes(notes) };
    },
});

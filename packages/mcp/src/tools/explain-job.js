import { Type } from "@sinclair/typebox";
import { boundItems, withNotes } from "../answers/bound-answer.ts";
import { defineTool } from "../tool.ts";
import { jobField, notesField } from "./fields.ts";
const MAX_EVIDENCE = 5;
export const explainJob = defineTool({
    name: "explain_job",
    title: "Explain a job",
    description: "Explains why a job failed, or what puts its scores in doubt: each condition with its evidence from logs and answers, the remedy, and what to run next. Use it before you guess a cause.",
    effect: "reads",
    input: Type.Object({ job: jobField() }, { additionalProperties: false }),
    output: Type.Object({
        status: Type.String(),
        summary: Type.String(),
        conditions: Type.Array(Type.Object({
            code: Type.String(),
            title: Type.String(),
            message: Type.String(),
            remedy: Type.String(),
            evidence: Type.Array(Type.String()),
            count: Type.Integer({ description: "Number of rows or events that show the condition." }),
        })),
        next: Type.Array(Type.String(), { description: "Commands or requests to run next." }),
        notes: notesField,
    }),
    run: async ({ job }, { client, signal }) => {
        const { status, summary, conditions, next } = await client.evaluation.jobs.explain(job, { signal });
        const listed = conditions.map(({ code, title, message, remedy, evidence, count }) => {
            return { code: code, title, message, remedy, evidence: evidence.slice(0, MAX_EVIDENCE), count };
        });
        const { kept, notes } = boundItems(listed, {
            noun: "condition",
            rest: () => "Resolve these first, then explain the job again.",
            shorten: (condition) => ({ ...condition, evidence: condition.evidence.slice(0, 1) }),
        });
        return { status, summary, conditions: [...kept], next: [...next], ...withNotes(notes) };
    },
});

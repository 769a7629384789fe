import { numberField } from "@assay/schemas";
import { Type } from "@sinclair/typebox";
import { boundItems, withNotes } from "../answers/bound-answer.ts";
import { defineTool } from "../tool.ts";
import { jobField, limitField, nextOffsetField, notesField, offsetField } from "./fields.ts";
export const listFailingRows = defineTool({
    name: "list_failing_rows",
    title: "List failing rows",
    description: "Lists rows of a job that have an error. With `metric` and `below`, lists rows whose score is lower instead, the lowest first: the rows that a model answered badly.",
    effect: "reads",
    input: Type.Object({
        job: jobField(),
        task: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: "Only rows of this task." })),
        metric: Type.Optional(Type.String({
            minLength: 1,
            maxLength: 1024,
            description: "`metric.score` as `scores` of this answer lists them, or a metric with one score.",
        })),
        below: numberField("score", { default: 1, description: "With `metric`: rows whose score is lower than this." }),
        offset: offsetField("rows"),
        limit: limitField("rows", 10, 50),
    }, { additionalProperties: false }),
    output: Type.Object({
        rows: Type.Array(Type.Object({
            task: Type.String(),
            row_index: Type.Integer(),
            repeat: Type.Integer(),
            item: Type.Unknown({ description: "The row of the dataset." }),
            output: Type.Union([Type.String(), Type.Null()], { description: "The answer." }),
            scores: Type.Unknown({ description: "By metric and score." }),
            condition: Type.Union([Type.String(), Type.Null()]),
            error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
        })),
        matched: Type.Integer({ description: "Number of rows that match." }),
        total: Type.Integer({ description: "Number of rows of the job so far." }),
        scores: Type.Array(Type.String(), { description: "The scores of the job, for `metric`." }),
        next_offset: nextOffsetField,
        notes: notesField,
    }),
    run: async ({ job, task, metric, below, offset, limit }, { client, signal }) => {
        const ofTask = task === undefined ? {} : { task };
        const wanted = metric === undefined
            ? { filter: { error: { $nin: "null" } } }
            : { filter: { [`score:${metric}`]: { $lt: String(below) } }, sort: `score:${metric}` };
        const page = await client.evaluation.jobs.rows(job, { ...ofTask, ...wanted, offset, limit }, { signal });
        const rows = page.data.map((row) => ({
            task: row.task,
            row_index: row.row_index,
            repeat: row.repeat,
            item: row.item,
            output: row.output,
            scores: row.scores,
            condition: row.condition,
            error: row.error,
        }));
        const { kept, notes } = boundItems(rows, {
            noun: "row",
            rest: (count) => `Continue with offset ${offset + count}.`,
            shorten: (row, text) => ({ ...row, item: text.slice(0, 2000), scores: {} }),
        });
        const next = kept.length < rows.length ? offset + kept.length : page.next_offset;
        const hint = metric === undefined && page.matched === 0 && page.scores.length > 0
            ? [`No row has an error. For badly answered rows, give metric, such as '${page.scores[0]}'.`]
            : [];
        const { matched, total, scores } = page;
        return {
            rows: [...kept],
            matched,
            total,
            scores: scores.slice(0, 100),
            next_offset: next,
            ...withNotes(notes, hint),
        };
    },
});

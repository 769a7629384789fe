var __addDisposableResource = (this && this.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (this && this.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
import { basename, dirname, extname, join, resolve } from "node:path";
import { fieldsOf } from "@assay/json";
import { printable } from "@assay/schemas";
import { AssayError } from "@assay/schemas/errors";
import { formatEvaluation, formatRow } from "../output/format-evaluation.ts";
import { createImportNotes } from "../output/import-notes.ts";
import { checkNoFiles, writeImportedFiles } from "../output/imported-file.ts";
import { openInspectLog } from "./read-log.ts";
import { sampleRow, scoreName } from "./sample-row.ts";
/**
 * Writes the samples of a log of Inspect as rows, one after the other, and an evaluation file that reads their outputs and scores.
 * @throws `bad_document`, `not_found`, `already_exists`
 */
export async function importInspect({ file, cwd, out, force, signal }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const name = printable(file);
        const target = resolve(cwd, out);
        const rowsName = `${basename(out, extname(out))}.rows.jsonl`;
        const rowsPath = join(dirname(target), rowsName);
        checkNoFiles([rowsPath, target], force);
        const log = __addDisposableResource(env_1, await openInspectLog(resolve(cwd, file), name), true);
        const notes = createImportNotes();
        const seen = { rows: 0, scores: new Map(), epochs: new Set() };
        await writeImportedFiles([{ path: rowsPath, text: rowsOf(log, { seen, notes, signal }) }], force);
        if (seen.rows === 0)
            throw new AssayError("bad_document", `${name} contains no samples; it was written with --no-log-samples, or the run ended before the first.`);
        for (const [score, count] of seen.scores) {
            if (count === 0)
                notes.add({ location: name, part: score, outcome: "left out", detail: "it has no number" });
            else
                notes.add({ location: name, part: score, outcome: "mapped", detail: `given, for ${count} of ${seen.rows} rows` });
        }
        notes.add({
            location: name,
            part: "messages, events",
            outcome: "left out",
            detail: "rows have input, target, output, scores and metadata",
        });
        const comments = [`Made of ${printable(basename(file))} by \`assay import inspect\`.`];
        const content = contentOf(log, seen, rowsName);
        await writeImportedFiles([{ path: target, text: formatEvaluation(content, comments) }], force);
        return { files: [rowsPath, target], rows: seen.rows, notes: notes.list() };
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = __disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}
async function* rowsOf(log, { seen, notes, signal }) {
    for await (const { sample, location } of log.samples()) {
        signal.throwIfAborted();
        const row = sampleRow(sample, seen.rows);
        count(row, seen);
        if (row.error !== null)
            notes.add({ location, part: "error", outcome: "changed", detail: "the row has 'error' and no scores" });
        yield formatRow(row);
    }
}
function count({ epoch, scores }, seen) {
    seen.rows += 1;
    seen.epochs.add(epoch);
    for (const [name, value] of Object.entries(scores))
        seen.scores.set(name, (seen.scores.get(name) ?? 0) + (value === null ? 0 : 1));
}
function contentOf({ header }, { scores, epochs }, rowsName) {
    const { task, model } = fieldsOf(header["eval"]);
    const dataset = { files_url: `./${rowsName}` };
    const numbers = [...scores].filter(([, found]) => found > 0);
    const metrics = numbers.map(([name]) => [name, { type: "given", params: { value: `{{ item.scores["${name}"] }}` } }]);
    const all = metrics.length === 0 ? { latency: { type: "latency" } } : Object.fromEntries(metrics);
    return {
        description: `${String(task)}${typeof model === "string" ? ` of ${model}` : ""}`.slice(0, 500),
        target: { type: "cached_outputs", cached_outputs: dataset },
        config: {
            type: "custom",
            ...(epochs.size > 1 ? { params: { cluster_by: "id" } } : {}),
            tasks: { [scoreName(String(task))]: { type: "data", dataset, metrics: all } },
        },
    };
}

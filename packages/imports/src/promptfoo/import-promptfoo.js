import { basename, dirname, extname, join, resolve } from "node:path";
import { fieldsOf, isObject } from "@assay/json";
import { printable } from "@assay/schemas";
import { AssayError } from "@assay/schemas/errors";
import { compileTemplate } from "@assay/templates";
import { formatEvaluation, formatRow } from "../output/format-evaluation.ts";
import { createImportNotes } from "../output/import-notes.ts";
import { createRows } from "./create-rows.ts";
import { readPrompts } from "./read-prompts.ts";
import { readProviders } from "./read-providers.ts";
import { readTests } from "./read-tests.ts";
import { openSourceFiles } from "./source-files.ts";
/** Parts of a configuration that change results and are not imported. */
const UNKNOWN = ["scenarios", "nunjucksFilters", "extensions", "derivedMetrics", "redteam", "env", "transform"];
/** Converts a configuration of promptfoo to evaluation files, one for each model, and their rows. @throws `bad_document`, `not_found` */
export async function importPromptfoo(options) {
    const { file, cwd, out } = options;
    const path = resolve(cwd, file);
    const files = openSourceFiles(dirname(path), cwd);
    const notes = createImportNotes();
    const root = await files.readDocument(path);
    if (!isObject(root.value)) {
        throw new AssayError("bad_document", `${root.location}: A configuration of promptfoo is an object with 'prompts', 'providers' and 'tests'.`);
    }
    for (const key of UNKNOWN) {
        if (root.value[key] === undefined)
            continue;
        notes.add({ location: root.at(key).location, part: key, outcome: "left out", detail: "it is not imported" });
    }
    const models = modelsOf(root, options, notes);
    const tests = await readTests(root, { files, notes });
    const { prefix, suffix } = fieldsOf(fieldsOf(fieldsOf(root.value)["defaultTest"])["options"]);
    const frame = { prefix: typeof prefix === "string" ? prefix : "", suffix: typeof suffix === "string" ? suffix : "" };
    const prompts = await readPrompts(root.at("prompts"), { files, notes, frame });
    const built = await createRows({ tests, names: namesOf(prompts), files, notes, judge: options.judge });
    const evaluationFiles = models.map((_, index) => index === 0 ? out : out.replace(/(\.[^./\\]*)?$/, `-${index + 1}$1`));
    const rowsName = `${basename(out, extname(out))}.rows.jsonl`;
    const contents = models.map((model) => contentOf(model, { root, prompts, metrics: built.metrics, rowsName }));
    const comments = [`Made of ${printable(basename(file))} by \`assay import promptfoo\`.`];
    return {
        files: [
            { path: join(dirname(resolve(cwd, out)), rowsName), text: built.rows.map(formatRow) },
            ...contents.map((content, index) => ({
                path: resolve(cwd, evaluationFiles[index] ?? out),
                text: formatEvaluation(content, comments),
            })),
        ],
        notes: notes.list(),
        rows: built.rows.length,
        evaluations: evaluationFiles,
    };
}
function modelsOf(root, { model }, notes) {
    const key = fieldsOf(root.value)["providers"] === undefined ? "targets" : "providers";
    if (model !== undefined) {
        return [{ name: model.name, endpoint: { url: model.url, model_id: model.name }, params: {} }];
    }
    const models = readProviders(root.at(key), notes);
    if (models.length > 0)
        return models;
    const reasons = notes.list().filter(({ part }) => part.startsWith("provider "));
    const reason = reasons.map(({ location, part, detail }) => ` ${location}: ${part}: ${detail}.`).join("");
    const message = `No provider names a model with chat completions; give --model URL#name.${reason}`;
    throw new AssayError("bad_document", `${root.at(key).location}: ${message}`);
}
/** Returns the variables that the templates of prompts read. */
function namesOf(prompts) {
    const texts = prompts.flatMap(({ template }) => "prompt" in template ? [template.prompt] : textsIn(template.messages));
    return new Set(texts.flatMap((text) => compileTemplate(text).reads.flatMap(({ path: [name] }) => name ?? [])));
}
function textsIn(value) {
    if (typeof value === "string")
        return [value];
    if (Array.isArray(value))
        return value.flatMap(textsIn);
    return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
function contentOf(model, { root, prompts, metrics, rowsName }) {
    const { maxConcurrency, repeat } = fieldsOf(fieldsOf(root.value)["evaluateOptions"]);
    const { description } = fieldsOf(root.value);
    const dataset = { files_url: `./${rowsName}` };
    const params = {
        ...model.params,
        ...(typeof maxConcurrency === "number" && maxConcurrency >= 1
            ? { parallelism: Math.min(1024, Math.floor(maxConcurrency)) }
            : {}),
        ...(typeof repeat === "number" && repeat > 1 ? { repeats: Math.min(1000, Math.floor(repeat)) } : {}),
    };
    const names = taskNames(prompts);
    const type = model.endpoint.format === undefined ? "chat-completion" : "completion";
    const tasks = prompts.map(({ template }, index) => [
        names[index] ?? "prompt",
        { type, dataset, params: { template }, metrics },
    ]);
    return {
        ...(typeof description === "string" && description !== "" ? { description } : {}),
        target: { type: "model", model: { api_endpoint: model.endpoint } },
        config: {
            type: "custom",
            ...(Object.keys(params).length === 0 ? {} : { params }),
            tasks: Object.fromEntries(tasks),
        },
    };
}
function taskNames(prompts) {
    const names = new Set();
    return prompts.map(({ label }, index) => {
        const base = (label ?? (prompts.length === 1 ? "prompt" : `prompt-${index + 1}`))
            .replaceAll(/[^\p{L}\p{N}_-]+/gu, "-")
            .slice(0, 60);
        const name = names.has(base) || base === "" ? `prompt-${index + 1}` : base;
        names.add(name);
        return name;
    });
}

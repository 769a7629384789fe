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
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { planOf, scorePlan, testEnvironment } from "@assay/evaluation/testing";
import { readEvaluationContent } from "@assay/schemas";
import { parseYaml } from "@assay/schemas/validation";
import { compileRequestTemplate } from "@assay/scoring";
import { startFakeInference } from "@assay/testkit";
import { parse } from "yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeImportedFiles } from "../output/imported-file.ts";
import { importPromptfoo } from "./import-promptfoo.ts";
const FOLDER = join(import.meta.dirname, "../testing/promptfoo");
const read = (name) => readFileSync(join(FOLDER, name), "utf8");
const cases = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".yaml"))
    .flatMap((name) => parse(read(name)));
const { cases: verdicts } = JSON.parse(read("verdicts.json"));
const HEAD = {
    providers: 'providers: [{ id: "openai:chat:fake", config: { apiBaseUrl: "http://127.0.0.1:9000/v1", apiKey: none } }]\n',
    prompts: 'prompts: ["=> {{out}}"]\n',
};
/** Replies as the text after `verdict-` says. */
const judge = ({ messages }) => {
    const text = messages.map(({ content }) => String(content)).join("\n");
    const [, word, score] = /verdict-(pass|fail)-([\d.]*\d)/.exec(text) ?? [];
    return { content: JSON.stringify({ reason: "By the rule.", pass: word === "pass", score: Number(score) }) };
};
let inference;
beforeAll(async () => {
    inference = await startFakeInference({ models: { judge } });
});
afterAll(() => inference.close());
async function importCase({ config, files = {} }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const folder = __addDisposableResource(env_1, mkdtempDisposableSync(join(tmpdir(), "assay-import-")), false);
        const head = Object.entries(HEAD).map(([key, text]) => (new RegExp(`^${key}:`, "m").test(config) ? "" : text));
        const written = {
            ...files,
            "promptfooconfig.yaml": `${head.join("")}${config}`.replaceAll("http://127.0.0.1:9000/v1", `${inference.url}/v1`),
        };
        for (const [name, text] of Object.entries(written)) {
            mkdirSync(dirname(join(folder.path, name)), { recursive: true });
            writeFileSync(join(folder.path, name), text);
        }
        const imported = await importPromptfoo({ file: "promptfooconfig.yaml", cwd: folder.path, out: "evaluation.yaml" });
        await writeImportedFiles(imported.files, false);
        const text = readFileSync(join(folder.path, "evaluation.yaml"), "utf8");
        const content = readEvaluationContent(parseYaml(text, "evaluation.yaml"));
        const lines = readFileSync(join(folder.path, "evaluation.rows.jsonl"), "utf8").trimEnd().split("\n");
        return { content, rows: lines.map((line) => JSON.parse(line)), notes: imported.notes };
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        __disposeResources(env_1);
    }
}
/** Scores the outputs of promptfoo's model, task by task. Each row gets the output of a result with its prompt. */
async function scoreOutputs(content, rows, verdictsOfCase) {
    const { tasks = {} } = content.config;
    const open = [...verdictsOfCase];
    const found = [];
    for (const [name, { metrics = {}, params }] of Object.entries(tasks)) {
        const template = compileRequestTemplate(params?.template, name);
        const expected = rows.map((item) => {
            const asked = promptOf(template.render({ item }));
            const at = open.findIndex((one) => messagesOf(one.asked) === asked);
            expect(at, `promptfoo asked ${open.map((one) => messagesOf(one.asked)).join(" ")}, not ${asked}`).not.toBe(-1);
            return open.splice(at, 1)[0];
        });
        const answered = rows.map((row, index) => ({
            ...row,
            response: {
                choices: [{ finish_reason: "stop", message: { role: "assistant", content: expected[index]?.output } }],
            },
            latency_ms: 5,
        }));
        const config = { type: "custom", tasks: { [name]: { type: "data", metrics } } };
        const scored = await scorePlan(await planOf({ type: "rows", rows: answered }, config, testEnvironment()));
        for (const [index, { outcomes }] of scored.entries())
            found.push({ expected: expected[index], scores: outcomes["test"]?.scores ?? {} });
    }
    expect(open).toEqual([]);
    return found;
}
describe("an imported configuration of promptfoo", () => {
    it("is one of at least 40 with stored verdicts", () => {
        expect(cases.length).toBeGreaterThanOrEqual(40);
        expect(cases.map(({ name }) => name).toSorted()).toEqual(Object.keys(verdicts).toSorted());
    });
    it.each(cases.map((one) => [one.name, one]))("has its verdicts: %s", async (name, one) => {
        const { content, rows } = await importCase(one);
        for (const { expected, scores } of await scoreOutputs(content, rows, verdicts[name] ?? [])) {
            if (expected === undefined)
                throw new Error("promptfoo has no such result.");
            const { passed, score, checks } = expected;
            if (checks.length === 0) {
                expect(scores).toEqual({});
                continue;
            }
            expect({ passed: scores["passed"], score: scores["score"] }).toEqual({
                passed: passed ? 1 : 0,
                score: expect.closeTo(score, 9),
            });
        }
    });
});
function promptOf(request) {
    const { messages } = request;
    return JSON.stringify(messages.map(({ role, content }) => ({ role, content })));
}
/** Returns the messages of a prompt as promptfoo stores it: a text, or a chat as JSON. */
function messagesOf(asked) {
    const isChat = asked.trimStart().startsWith("[{");
    return JSON.stringify(isChat ? JSON.parse(asked) : [{ role: "user", content: asked }]);
}

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
import { existsSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { AssayError } from "@assay/schemas/errors";
import { printable } from "@assay/schemas";
import { localFailure } from "@assay/storage";
/** @throws `already_exists` if one of the files exists */
export function checkNoFiles(paths, force) {
    const existing = force ? undefined : paths.find((path) => existsSync(path));
    if (existing === undefined)
        return;
    const message = `'${printable(existing)}' exists already; give --force to replace it, or --out for another name.`;
    throw new AssayError("already_exists", message, { context: { file: existing } });
}
/**
 * Writes the files one after the other. Each appears whole or not at all. With `force`, existing files are replaced.
 * @throws `already_exists`, `local_file_failed`, or a more precise code such as `disk_full`
 */
export async function writeImportedFiles(files, force) {
    checkNoFiles(files.map(({ path }) => path), force);
    for (const file of files)
        await writeWhole(file);
}
async function writeWhole({ path, text }) {
    const part = `${path}.part`;
    try {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            await mkdir(dirname(path), { recursive: true });
            const file = __addDisposableResource(env_1, await open(part, "w"), true);
            for await (const piece of typeof text === "string" ? [text] : text)
                await file.write(piece);
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
    catch (error) {
        await rm(part, { force: true });
        throw localFailure(error, "write", path);
    }
    await rename(part, path);
}

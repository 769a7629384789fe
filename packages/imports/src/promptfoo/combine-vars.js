import { AssayError } from "@assay/schemas/errors";
import { isTemplate, renderText } from "./nunjucks.ts";
/** Combinations of one test. */
const MAX_COMBINATIONS = 10000;
/** Returns the combinations of the variables of a test: each text of a list is a row. Templates in variables are rendered. @throws `bad_document` */
export function combineVars({ vars, isWhole, location }) {
    let combined = [{}];
    for (const [key, value] of Object.entries(vars)) {
        const isMany = !isWhole && Array.isArray(value) && typeof value[0] === "string";
        const values = isMany ? value : [value];
        combined = combined.flatMap((known) => values.map((one) => ({ ...known, [key]: one })));
        if (combined.length > MAX_COMBINATIONS) {
            throw new AssayError("bad_document", `${location}: The variables have more than ${MAX_COMBINATIONS} combinations.`);
        }
    }
    return combined.map((one) => rendered(one, location));
}
function rendered(vars, location) {
    const entries = Object.entries(vars).map(([key, value]) => {
        if (typeof value !== "string" || !isTemplate(value))
            return [key, value];
        try {
            return [key, renderText(value, vars)];
        }
        catch (error) {
            throw new AssayError("bad_document", `${location}: The variable '${key}' has a template that can't be rendered.`, {
                cause: error,
            });
        }
    });
    return Object.fromEntries(entries);
}

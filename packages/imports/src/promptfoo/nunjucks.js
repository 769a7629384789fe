import { messageOf } from "@assay/schemas/errors";
import { compileTemplate } from "@assay/templates";
/** Returns whether a text has expressions or statements of a template. */
export function isTemplate(text) {
    return /\{[{%#]/.test(text);
}
/** Changes a template of Nunjucks to one of Jinja: `dump` is `tojson`, and a line feed at the end is kept. */
export function toJinja(text) {
    const filtered = text.replaceAll(/(\{\{[^{}]*\|\s*)dump(?:\(\))?(?=\s*(?:\||-?\}\}))/g, "$1tojson");
    // Jinja removes one line feed.
    return filtered.endsWith("\n") ? `${filtered}\n` : filtered;
}
/** Compiles a template of a configuration. */
export function readTemplate(text) {
    try {
        return { template: compileTemplate(toJinja(text)) };
    }
    catch (error) {
        return { fault: `its template can't be read: ${messageOf(error)}` };
    }
}
/** Returns values for a template, with an empty text for each name that it reads and that is missing, as Nunjucks has. */
export function completeValues({ reads }, values) {
    const missing = reads.flatMap(({ path: [name] }) => name === undefined || name in values ? [] : [[name, ""]]);
    return missing.length === 0 ? values : { ...values, ...Object.fromEntries(missing) };
}
/** Renders a text with variables, as a text. @throws `template_error` */
export function renderText(text, values) {
    if (!isTemplate(text))
        return text;
    const template = compileTemplate(toJinja(text));
    return template.render(completeValues(template, values));
}

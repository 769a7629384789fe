import { cutText } from "@assay/reports";
import { ERROR_CATALOGUE, isAssayError, printableText } from "@assay/schemas";
const MAX_CHARACTERS = 4000;
const MAX_CHECKS = 20;
/** Remedies in the words of tools, where those of the catalogue speak of HTTP requests. */
const REMEDIES = {
    launch_refused: "Correct each fault; use skip_checks only if the user asks for it.",
    unauthorized: "Ask the user for a token of this server: ASSAY_TOKEN of `assay mcp`, or the Authorization header of the connection.",
};
/** Describes an error to an assistant: its code, the message, every failed check of a launch, and what to do. */
export function describeFailure(error) {
    if (!isAssayError(error)) {
        return "internal: The server failed in a way that this tool does not know.\nWhat to do: Try again once; then tell the user.";
    }
    const checks = checksOf(error);
    const remedy = REMEDIES[error.code] ?? ERROR_CATALOGUE[error.code].remedy;
    const lines = [
        `${error.code}: ${error.message}`,
        ...checks.map(({ check, message, remedy: own }) => `- ${check}: ${message} What to do: ${own}`),
        `What to do: ${typeof error.context["remedy"] === "string" ? error.context["remedy"] : remedy}`,
    ];
    return cutText(printableText(lines.join("\n")), MAX_CHARACTERS);
}
function checksOf({ context }) {
    const checks = context["failed_checks"];
    if (!Array.isArray(checks))
        return [];
    return checks.slice(0, MAX_CHECKS).map((check) => ({
        check: String(check["check"]),
        message: String(check["message"]),
        remedy: String(check["remedy"]),
    }));
}

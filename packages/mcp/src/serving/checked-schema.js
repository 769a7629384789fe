import { compileCheck, withoutIds } from "@assay/schemas/validation";
const MAX_ISSUES = 10;
/** Returns a schema as the protocol's library takes it. Values are checked, and defaults filled, as in bodies of the HTTP interface. */
export function checkedSchema(schema) {
    const check = compileCheck(schema);
    const json = () => withoutIds(JSON.parse(JSON.stringify(schema)));
    return {
        "~standard": {
            version: 1,
            vendor: "assay",
            validate: (value) => {
                const checked = check(value);
                if (checked.valid)
                    return { value: checked.value };
                const issues = checked.issues.slice(0, MAX_ISSUES).map(({ loc, msg }) => {
                    return { message: loc.length === 0 ? msg : `'${loc.join(".")}': ${msg}` };
                });
                return { issues };
            },
            jsonSchema: { input: json, output: json },
        },
    };
}

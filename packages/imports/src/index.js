export { importInspect } from "./inspect/import-inspect.ts";
export { importLmEval } from "./lm-eval/import-lm-eval.ts";
export { writeImportedFiles } from "./output/imported-file.ts";
export { importPromptfoo, } from "./promptfoo/import-promptfoo.ts";

export { likelihoodsOf } from "../likelihood/text-likelihood.ts"
export { rankingOf, relevanceOf } from "../metrics/retriever/retriever-row.ts"
export { compileRowTemplate, compileStructure } from "../templates/row-template.ts"
export { scoringEnvironment, testSchemas } from "./scoring-environment.ts"

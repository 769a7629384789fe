import { inferenceParameters } from "../../models/run-params.ts"
import {
  compileRowTemplate,
  compileStructure,
  fieldsOfTemplates,
  jsonOfTemplate,
} from "../../templates/row-template.ts"
import { hasArguments } from "./call-assertions.ts"
import { withKeptFacts } from "./kept-facts.ts"
import { conversationInput, turnInput } from "./turn-input.ts"
import { turnMetrics } from "./turn-metrics.ts"
import { passes } from "./until.ts"

/** The scores and templates that holding a conversation needs. */
export const conversations = Object.freeze({
  input: conversationInput,
  turnInput,
  metrics: turnMetrics,
  passes,
  withKeptFacts,
  modelParameters: inferenceParameters,
  hasArguments,
  templates: Object.freeze({
    compile: compileRowTemplate,
    compileStructure,
    fields: fieldsOfTemplates,
    json: jsonOfTemplate,
  }),
})

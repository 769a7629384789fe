import { EXAMPLE_ENDPOINT, EXAMPLE_JOB, type Operations } from "./operation.ts"

const GUARDRAILS = "/apis/guardrails/v2/workspaces/{ws}"
const GUARDRAILS_V1 = "/v1/guardrail"
const OPENAI = `${GUARDRAILS}/configs/{name}/openai/v1`
const OPENAI_DEFAULT = "/openai/v1"
const EVALUATION = "/v1/evaluation"

const ws = "default"
const strict = { name: "strict" }
const data = {
  models: [
    { type: "main", model: "chat", url: EXAMPLE_ENDPOINT },
    { type: "content_safety", model: "content-safety", url: EXAMPLE_ENDPOINT },
  ],
  prompts: [
    {
      task: "content_safety_check_input $model=content_safety",
      content:
        'Does the message break the policy?\nuser: {{ user_input }}\nAnswer {"User Safety": "safe"} or {"User Safety": "unsafe"}.',
      output_parser: "nemoguard_parse_prompt_safety",
    },
  ],
  rails: { input: { flows: ["content safety check input $model=content_safety"] } },
}
const said = "How do I kill a Linux process?"
const asked = {
  model: "chat",
  messages: [{ role: "user", content: said }],
  guardrails: { config_id: strict.name },
}
const { model, messages } = asked
const needsDefault = "a configuration with the name default"
const changed = { description: "Blocks what is unsafe" }

const target = { ws, name: "answers" }
const config = { ws, name: "contains-city" }
const job = { id: EXAMPLE_JOB }
const given = { type: "rows", rows: [{ output: "It is Paris.", city: "Paris" }] }
const task = {
  type: "data",
  metrics: { city: { type: "string-check", params: { check: ["{{output}}", "contains", "{{city}}"] } } },
}
const custom = { type: "custom", tasks: { capitals: task } }

const pace = {
  endpoint: "r9GZ6DzFfNmWcVuvJYeqU1wMFxSBnUVgkV8vZnyMVq4=",
  unused: 0,
  answers: [{ ago_ms: 40, count: 12 }],
  refusal: { ago_ms: 65, asked_ms: 1000, count: 2 },
  wanted: 5,
}

/** Operations on guardrails and evaluations. */
export const JUDGING_OPERATIONS: Operations = {
  [`POST ${GUARDRAILS}/configs`]: { id: "createGuardrail", parameters: { ws }, body: { ...strict, data } },
  [`GET ${GUARDRAILS}/configs`]: { id: "listGuardrails", parameters: { ws } },
  [`GET ${GUARDRAILS}/configs/{name}`]: { id: "getGuardrail", parameters: { ws, ...strict } },
  [`PATCH ${GUARDRAILS}/configs/{name}`]: { id: "updateGuardrail", parameters: { ws, ...strict }, body: changed },
  [`POST ${GUARDRAILS}/checks`]: { id: "checkMessages", writes: false, parameters: { ws }, body: asked },
  [`POST ${GUARDRAILS}/chat/completions`]: {
    id: "chatThroughGuardrail",
    writes: false,
    parameters: { ws },
    body: asked,
  },
  [`POST ${GUARDRAILS}/completions`]: {
    id: "completeThroughGuardrail",
    writes: false,
    parameters: { ws },
    body: { model, prompt: said, guardrails: asked.guardrails },
  },
  [`GET ${GUARDRAILS}/models`]: { id: "listGuardrailModels", parameters: { ws, config_id: strict.name } },
  [`GET ${GUARDRAILS}/models/{model}`]: {
    id: "getGuardrailModel",
    parameters: { ws, model, config_id: strict.name },
  },
  [`POST ${OPENAI}/chat/completions`]: {
    id: "createChatCompletion",
    writes: false,
    parameters: { ws, ...strict },
    body: { model, messages },
  },
  [`POST ${OPENAI}/responses`]: {
    id: "createResponse",
    writes: false,
    parameters: { ws, ...strict },
    body: { model, input: said },
  },
  [`POST ${OPENAI}/completions`]: {
    id: "createCompletion",
    writes: false,
    parameters: { ws, ...strict },
    body: { model, prompt: said },
  },
  [`GET ${OPENAI}/models`]: { id: "listAskableModels", parameters: { ws, ...strict } },
  [`GET ${OPENAI}/models/{model}`]: { id: "getAskableModel", parameters: { ws, ...strict, model } },
  [`DELETE ${GUARDRAILS}/configs/{name}`]: { id: "deleteGuardrail", parameters: { ws, ...strict } },

  [`POST ${OPENAI_DEFAULT}/chat/completions`]: {
    id: "createDefaultChatCompletion",
    writes: false,
    body: { model, messages },
    needs: needsDefault,
  },
  [`POST ${OPENAI_DEFAULT}/responses`]: {
    id: "createDefaultResponse",
    writes: false,
    body: { model, input: said },
    needs: needsDefault,
  },
  [`POST ${OPENAI_DEFAULT}/completions`]: {
    id: "createDefaultCompletion",
    writes: false,
    body: { model, prompt: said },
    needs: needsDefault,
  },
  [`GET ${OPENAI_DEFAULT}/models`]: { id: "listDefaultAskableModels", needs: needsDefault },
  [`GET ${OPENAI_DEFAULT}/models/{model}`]: {
    id: "getDefaultAskableModel",
    parameters: { model },
    needs: needsDefault,
  },

  [`POST ${GUARDRAILS_V1}/configs`]: { id: "createGuardrailV1", body: { ...strict, data } },
  [`GET ${GUARDRAILS_V1}/configs`]: { id: "listGuardrailsV1" },
  [`GET ${GUARDRAILS_V1}/configs/{name}`]: { id: "getGuardrailV1", parameters: strict },
  [`PATCH ${GUARDRAILS_V1}/configs/{name}`]: { id: "updateGuardrailV1", parameters: strict, body: changed },
  [`GET ${GUARDRAILS_V1}/configs/default/{name}`]: { id: "getDefaultGuardrailV1", parameters: strict },
  [`PATCH ${GUARDRAILS_V1}/configs/default/{name}`]: {
    id: "updateDefaultGuardrailV1",
    parameters: strict,
    body: changed,
  },
  [`POST ${GUARDRAILS_V1}/checks`]: { id: "checkMessagesV1", writes: false, body: asked },
  [`POST ${GUARDRAILS_V1}/chat/completions`]: { id: "chatThroughGuardrailV1", writes: false, body: asked },
  [`POST ${GUARDRAILS_V1}/completions`]: {
    id: "completeThroughGuardrailV1",
    writes: false,
    body: { model, prompt: said, guardrails: asked.guardrails },
  },
  [`GET ${GUARDRAILS_V1}/models`]: { id: "listGuardrailModelsV1", parameters: { config_id: strict.name } },
  [`GET ${GUARDRAILS_V1}/models/{model}`]: {
    id: "getGuardrailModelV1",
    parameters: { model, config_id: strict.name },
  },
  [`DELETE ${GUARDRAILS_V1}/configs/{name}`]: { id: "deleteGuardrailV1", parameters: strict },
  [`DELETE ${GUARDRAILS_V1}/configs/default/{name}`]: { id: "deleteDefaultGuardrailV1", parameters: strict },

  [`POST ${EVALUATION}/targets`]: { id: "createTarget", body: { name: target.name, ...given } },
  [`GET ${EVALUATION}/targets`]: { id: "listTargets", parameters: { sort: "-created_at" } },
  [`GET ${EVALUATION}/targets/{ws}/{name}`]: { id: "getTarget", parameters: target },
  [`PATCH ${EVALUATION}/targets/{ws}/{name}`]: { id: "updateTarget", parameters: target, body: { description: "One" } },
  [`POST ${EVALUATION}/configs`]: { id: "createConfig", body: { name: config.name, ...custom } },
  [`GET ${EVALUATION}/configs`]: { id: "listConfigs" },
  [`GET ${EVALUATION}/configs/{ws}/{name}`]: { id: "getConfig", parameters: config },
  [`PATCH ${EVALUATION}/configs/{ws}/{name}`]: {
    id: "updateConfig",
    parameters: config,
    body: { description: "City" },
  },
  [`POST ${EVALUATION}/live`]: { id: "evaluateLive", writes: false, body: { target: given, config: custom } },
  [`POST ${EVALUATION}/jobs`]: {
    id: "createJob",
    body: { target: `${ws}/${target.name}`, config: `${ws}/${config.name}` },
  },
  [`POST ${EVALUATION}/jobs/check`]: {
    id: "checkJob",
    writes: false,
    body: { target: `${ws}/${target.name}`, config: `${ws}/${config.name}` },
  },
  [`GET ${EVALUATION}/jobs`]: { id: "listJobs", parameters: { page_size: 10 } },
  [`GET ${EVALUATION}/jobs/{id}`]: { id: "getJob", parameters: job },
  [`PATCH ${EVALUATION}/jobs/{id}`]: {
    id: "updateJob",
    parameters: job,
    body: { custom_fields: { tags: ["nightly"] } },
  },
  [`GET ${EVALUATION}/jobs/{id}/status`]: { id: "getJobStatus", parameters: job },
  [`GET ${EVALUATION}/jobs/{id}/status-details`]: { id: "getJobStatusDetails", parameters: job },
  [`GET ${EVALUATION}/jobs/{id}/events`]: { id: "followJob", parameters: job },
  [`GET ${EVALUATION}/jobs/{id}/results`]: { id: "getJobResult", parameters: job },
  [`GET ${EVALUATION}/jobs/{id}/rows`]: { id: "listJobRows", parameters: { ...job, sort: "-latency", limit: 10 } },
  [`GET ${EVALUATION}/jobs/{id}/rows/{task}/{index}`]: {
    id: "getJobRow",
    parameters: { ...job, task: "capitals", index: 0 },
  },
  [`GET ${EVALUATION}/jobs/{id}/shards`]: { id: "listJobShards", parameters: job },
  [`GET ${EVALUATION}/jobs/{id}/shards/{index}/log`]: {
    id: "getShardLog",
    parameters: { ...job, index: 0 },
    needs: "a job in shards",
  },
  [`GET ${EVALUATION}/jobs/{id}/distribution`]: {
    id: "getScoreDistribution",
    parameters: { ...job, metric: "city" },
  },
  [`PUT ${EVALUATION}/jobs/{id}/labels`]: {
    id: "addLabels",
    parameters: job,
    body: {
      labels: [{ task: "capitals", row_index: 0, metric: "city", label: 1 }],
      author: "ann",
    },
  },
  [`GET ${EVALUATION}/jobs/{id}/labels`]: { id: "listLabels", parameters: { ...job, metric: "city" } },
  [`GET ${EVALUATION}/jobs/{id}/labels/next`]: {
    id: "drawRowsToLabel",
    parameters: { ...job, metric: "city", limit: 5 },
  },
  [`GET ${EVALUATION}/jobs/{id}/labels/report`]: { id: "reportLabels", parameters: { ...job, metric: "city" } },
  [`GET ${EVALUATION}/jobs/{id}/download-results`]: { id: "downloadJobResults", parameters: job },
  [`GET ${EVALUATION}/jobs/{id}/logs`]: { id: "getJobLogs", parameters: { ...job, format: "text" } },
  [`GET ${EVALUATION}/jobs/{id}/explain`]: { id: "explainJob", parameters: job },
  [`POST ${EVALUATION}/models/{ws}`]: {
    id: "listEndpointModels",
    writes: false,
    parameters: { ws },
    body: { url: EXAMPLE_ENDPOINT },
  },
  [`POST ${EVALUATION}/paces/{ws}`]: { id: "exchangePace", writes: false, parameters: { ws }, body: pace },
  [`GET ${EVALUATION}/baselines/{ws}`]: { id: "listBaselines", parameters: { ws } },
  [`PUT ${EVALUATION}/baselines/{ws}/{name}`]: {
    id: "setBaseline",
    parameters: { ws, name: "main" },
    body: { job: EXAMPLE_JOB },
  },
  [`GET ${EVALUATION}/baselines/{ws}/{name}`]: { id: "getBaseline", parameters: { ws, name: "main" } },
  [`DELETE ${EVALUATION}/baselines/{ws}/{name}`]: { id: "deleteBaseline", parameters: { ws, name: "main" } },
  [`GET ${EVALUATION}/trends/{ws}`]: { id: "getJobTrend", parameters: { ws } },
  [`GET ${EVALUATION}/leaderboards/{ws}`]: {
    id: "getLeaderboard",
    parameters: { ws, dataset: "default/capitals/rows.jsonl" },
    needs: "a completed job over the dataset",
  },
  [`GET ${EVALUATION}/compare`]: {
    id: "compareJobs",
    parameters: { jobs: `${EXAMPLE_JOB},eval-7Xo2cPqZ5TtYh3nRw8KdLm` },
    needs: "another job that has ended",
  },
  [`GET ${EVALUATION}/compare/labels/next`]: {
    id: "drawPairsToLabel",
    parameters: { jobs: `${EXAMPLE_JOB},eval-7Xo2cPqZ5TtYh3nRw8KdLm`, metric: "city" },
    needs: "another job that has ended",
  },
  [`GET ${EVALUATION}/compare/rows`]: {
    id: "compareJobRows",
    parameters: { a: EXAMPLE_JOB, b: EXAMPLE_JOB, metric: "city" },
  },
  [`POST ${EVALUATION}/jobs/{id}/cancel`]: { id: "cancelJob", parameters: job, needs: "a job that is running" },
  [`POST ${EVALUATION}/jobs/{id}/resume`]: { id: "resumeJob", parameters: job, needs: "a job that failed" },
  [`POST ${EVALUATION}/jobs/{id}/retry-failed`]: { id: "retryFailedRows", parameters: job },
  [`POST ${EVALUATION}/jobs/{id}/score`]: {
    id: "scoreJob",
    parameters: job,
    body: { tasks: { capitals: { metrics: { short: { type: "f1", params: { ground_truth: "{{city}}" } } } } } },
  },
  [`POST ${EVALUATION}/jobs/{id}/rescore`]: {
    id: "rescoreJob",
    parameters: job,
    body: {
      config: {
        type: "custom",
        tasks: {
          capitals: { type: "data", metrics: { short: { type: "f1", params: { ground_truth: "{{city}}" } } } },
        },
      },
    },
  },
  [`DELETE ${EVALUATION}/jobs/{id}`]: { id: "deleteJob", parameters: job },
  [`DELETE ${EVALUATION}/targets/{ws}/{name}`]: { id: "deleteTarget", parameters: target },
  [`DELETE ${EVALUATION}/configs/{ws}/{name}`]: { id: "deleteConfig", parameters: config },
}

import type { GuardrailData } from "@assay/schemas"

const ASK = "Should it be blocked (Yes or No)?\nAnswer:"

/** Self-checks around a chat model, as in a first configuration of NeMo Guardrails. */
export const selfChecks = (base_url: string): GuardrailData => ({
  colang_version: 1,
  models: [{ type: "main", engine: "openai", model: "judge", parameters: { base_url, temperature: 0.7 } }],
  instructions: [{ type: "general", content: "You are a bot that talks about gardens.\n" }],
  sample_conversation: 'user "Hi"\n  express greeting\nbot express greeting\n  "Hello!"\n',
  lowest_temperature: 0.1,
  streaming: true,
  passthrough: false,
  enable_multi_step_generation: false,
  prompts: [
    { task: "self_check_input", content: `User message: "{{ user_input }}"\n${ASK}`, stop: ["\n"] },
    { task: "self_check_output", content: `Bot message: "{{ bot_response }}"\n${ASK}` },
    { task: "general", content: "{{ general_instructions }}\n{{ history | user_assistant_sequence }}" },
  ],
  rails: {
    input: { flows: ["self check input"], parallel: false },
    output: { flows: ["self check output"], streaming: { enabled: false } },
    dialog: { single_call: { enabled: false } },
  },
  tracing: { enabled: false, adapters: [{ name: "FileSystem" }] },
})

/** A content safety model of an engine that has its names in the parameters. */
export const contentSafety = (base_url: string): GuardrailData => ({
  models: [
    { type: "main", engine: "nim", model: "chat" },
    {
      type: "content_safety",
      engine: "nim",
      api_key_env_var: "NVIDIA_API_KEY",
      cache: { enabled: true, maxsize: 1000 },
      parameters: { base_url, model_name: "judge" },
    },
    { type: "embeddings", engine: "nim", model: "embedder" },
  ],
  prompts: [
    {
      task: "content_safety_check_input $model=content_safety",
      content: "Classify.\nuser: {{ user_input }}\nAnswer with a JSON object.",
      output_parser: "nemoguard_parse_prompt_safety",
      max_tokens: 50,
    },
    {
      task: "content_safety_check_output $model=content_safety",
      content: "Classify.\nuser: {{ user_input }}\nresponse: agent: {{ bot_response }}\nAnswer with a JSON object.",
      output_parser: "nemoguard_parse_response_safety",
      max_tokens: 50,
    },
  ],
  rails: {
    input: { parallel: true, flows: ["content safety check input $model=content_safety"] },
    output: {
      parallel: true,
      flows: ["content safety check output $model=content_safety"],
      streaming: { enabled: true, stream_first: true, chunk_size: 200, context_size: 50 },
    },
  },
})

/** Two guard models of one server, named in quotes. */
export const quotedModels = (openai_api_base: string): GuardrailData => ({
  models: [
    {
      type: "guard",
      engine: "vllm_openai",
      parameters: { openai_api_base, model_name: "judge", api_key: "EMPTY", max_retries: 2 },
    },
    { type: "llama_guard", engine: "vllm_openai", parameters: { openai_api_base, model_name: "llama" } },
  ],
  prompts: [
    {
      task: "content_safety_check_input $model=guard",
      messages: [
        { type: "system", content: "Does the text break the policy? Begin with Yes or No." },
        { type: "user", content: "{{ user_input }}" },
      ],
      output_parser: "is_content_safe",
      max_tokens: 3,
    },
    {
      task: "llama_guard_check_input",
      content: "[INST] Task: …\nUser: {{ user_input }}\nFirst line safe or unsafe. [/INST]",
    },
  ],
  rails: { input: { flows: ['content safety check input $model="guard"', "llama guard check input"] } },
})

/** A topic control model whose prompt is only the policy. */
export const topicControl = (base_url: string): GuardrailData => ({
  models: [{ type: "topic_control", engine: "nim", model: "judge", parameters: { base_url } }],
  prompts: [
    {
      task: "topic_safety_check_input $model=topic_control",
      content: "You help customers of a bicycle shop.\n- Do not talk about politics.\n",
    },
  ],
  rails: { input: { flows: ["topic safety check input $model=topic_control"] } },
})

/** A judge that reasons before its verdict, in its own tags. */
export const reasoningJudge = (base_url: string): GuardrailData => ({
  models: [
    {
      type: "content_safety",
      engine: "openai",
      model: "judge",
      parameters: { base_url },
      reasoning_config: { remove_reasoning_traces: true, start_token: "<thinks>", end_token: "</thinks>" },
    },
  ],
  prompts: [
    {
      task: "content_safety_check_input $model=content_safety",
      content:
        "Human user:\n{{ user_input }}\n{% if reasoning_enabled %}/think{% else %}/no_think{% endif %}\nPrompt harm: unharmful/harmful",
      output_parser: "nemotron_reasoning_parse_prompt_safety",
    },
  ],
  rails: {
    config: { content_safety: { reasoning: { enabled: true } } },
    input: { flows: ["content safety check input $model=content_safety"] },
  },
})

export const PERSONALITIES = [
  "openai",
  "nim",
  "vllm",
  "vllm-old",
  "ollama",
  "llama.cpp",
  "tgi",
  "litellm",
  "fastapi",
  "gateway",
] as const

/** The server whose error bodies are imitated. */
export type Personality = (typeof PERSONALITIES)[number]

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

/** Which server's error bodies are imitated. */
export type Personality = (typeof PERSONALITIES)[number]

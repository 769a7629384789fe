export { chat, keyValues, otlp, span, text, type WrittenSpan } from "./trace-spans.ts"

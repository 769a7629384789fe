import type { FakeModel } from "../fake-model.ts"

/** Talks about the message and gives no verdict. */
export const ramblerModel: FakeModel = () => ({
  content:
    "That is an interesting question. Some would say the message appears to be safe, while others might see it otherwise; it depends on the circumstances, and one should always be careful.",
})

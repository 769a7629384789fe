import { createHmac } from "node:crypto"

/** The prefix of a secret. Its rest is the key in Base64. */
const PREFIX = "whsec_"

export interface SignedContent {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/**
 * Returns the headers of a webhook by the specification Standard Webhooks: HMAC-SHA256 over id, timestamp and body. Each secret makes a
 * signature, so that a receiver with the old one or the new one accepts the message while a secret is replaced.
 */
export function signWebhook(
  { id, timestamp, body }: SignedContent,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const content = `${id}.${timestamp}.${body}`
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64")
    return `v1,${createHmac("sha256", key).update(content).digest("base64")}`
  })
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    ...(signatures.length === 0 ? {} : { "webhook-signature": signatures.join(" ") }),
  }
}

import { Type } from "@sinclair/typebox"

/** The settings of the webhook. */
export const WEBHOOK_SETTINGS = {
  ASSAY_WEBHOOK_URL: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        "Address to which the end of each evaluation job is sent. Rules for its host are those of inference endpoints. Absent: nothing is sent.",
      secret: true,
    }),
  ),
  ASSAY_WEBHOOK_SECRET: Type.Array(Type.String({ pattern: "^whsec_[A-Za-z0-9+/]{32,}={0,2}$" }), {
    default: [],
    description:
      'Secrets that sign webhooks, newest first: "whsec_" and at least 24 bytes in Base64. Several while a secret is replaced.',
    secret: true,
  }),
  ASSAY_WEBHOOK_TEMPLATE: Type.String({
    minLength: 1,
    default: "event",
    description: "Body of webhooks: event, slack, or a Jinja template that makes JSON of the event.",
  }),
}

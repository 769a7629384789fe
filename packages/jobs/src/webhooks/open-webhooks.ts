import type { WebhookOptions } from "./send-webhooks.ts"

/** Starts to send the ends of jobs in the form that `template` names. Its code is loaded here, so that other servers start without it. @throws `bad_settings` */
export async function openWebhooks({
  template,
  ...options
}: Omit<WebhookOptions, "format"> & { readonly template: string }): Promise<{ close(): Promise<void> }> {
  const [{ startWebhooks }, { webhookBody }] = await Promise.all([
    import("./send-webhooks.ts"),
    import("./webhook-body.ts"),
  ])
  return startWebhooks({ ...options, format: webhookBody(template) })
}

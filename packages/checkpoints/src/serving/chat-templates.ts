import { AssayError, type ChatRenderBody, type ChatRendering, type Model } from "@assay/schemas"
import type { CallerFilesets } from "./analyses.ts"
import { createTurns } from "@assay/isolation"

/** The chat templates of models. */
export interface ChatTemplates {
  /**
   * Renders a conversation with the template of a model.
   * @throws `not_found` if the model has no chat template; what the storage throws; the reason of `signal`
   */
  render(
    model: Model,
    conversation: ChatRenderBody,
    call: { readonly filesets: CallerFilesets; readonly signal: AbortSignal },
  ): Promise<ChatRendering>
}

/** Each rendering is a process of its own. */
const MAX_RENDERINGS = 2

export function createChatTemplates(): ChatTemplates {
  const turns = createTurns(MAX_RENDERINGS)
  return {
    async render({ workspace, name, fileset, spec }, conversation, { filesets, signal }) {
      const template = spec?.chat_template
      if (fileset === null) {
        throw new AssayError(
          "not_found",
          `Model '${workspace}/${name}' has no fileset, so it has no tokenizer to render with.`,
        )
      }
      if (template === undefined || template === null) {
        const message = `Model '${workspace}/${name}' has no chat template; add one to its checkpoint, or to the metadata of '${fileset}', and analyse it again.`
        throw new AssayError("not_found", message)
      }
      const [home = "", set = ""] = fileset.split("/")
      return turns.run(signal, async () => {
        const { renderChat } = await import("../render-chat.ts")
        return renderChat({ template, storage: await filesets.open(home, set), conversation, signal })
      })
    },
  }
}

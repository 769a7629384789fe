/** A text of which people have said whether it may pass. */
export interface LabelledPrompt {
  readonly id?: string
  readonly prompt: string
  /** With it the output rails are measured: the label is then about the response. */
  readonly response?: string
  readonly label: PromptLabel
  readonly category?: string
  /** A language tag or name; only used to group. */
  readonly language?: string
}

export type PromptLabel = "safe" | "unsafe"

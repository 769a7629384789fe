import type { ConditionEntry } from "./error-entry.ts"

/** How asking a judge fails, beside the call of its endpoint; and what measuring it can show. */
export const GUARDRAIL_ERRORS = {
  judge_output_unreadable: {
    status: 502,
    title: "Parsing errors with a judge model",
    meaning: "The judge's answer does not follow the format that it was asked for, so there is no verdict in it.",
    remedy:
      "Use a larger or instruction-tuned judge, ask for structured output, raise `max_tokens`, or name the judge's `family`.",
    retry: "never",
  },
  judge_budget_exhausted: {
    status: 502,
    title: "The judge used all its tokens for reasoning",
    meaning: "The judge reasoned until its token limit and gave no verdict.",
    remedy: "Raise `max_tokens` to 2,048 or more, or turn the judge's reasoning off.",
    retry: "never",
  },
  judge_refused: {
    status: 502,
    title: "The judge refuses to judge",
    meaning: "The judge refused to answer, or a filter in front of it did.",
    remedy: "Use a model that is made for judging, or a prompt that says why the text is shown.",
    retry: "never",
  },
  judge_overblocks: {
    status: 422,
    title: "The judge blocks safe queries",
    meaning:
      "The judge blocks more safe queries than the limit allows; small judge models, typically under 8B parameters, often do.",
    remedy: "Use a larger judge model, or a more precise self-check prompt.",
    retry: "never",
  },
  judge_underblocks: {
    status: 422,
    title: "The judge lets unsafe queries pass",
    meaning: "The judge misses more unsafe queries than the limit allows.",
    remedy: "Use a stricter prompt, block `controversial`, or use another guard model.",
    retry: "never",
  },
  template_error: {
    status: 422,
    title: "A template can't be rendered",
    meaning: "A Jinja template is broken, or reads a name that is not there.",
    remedy: "Correct the line that the message names; it lists the names that there are.",
    retry: "never",
  },
} as const satisfies Record<string, ConditionEntry>

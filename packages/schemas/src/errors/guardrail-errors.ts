import type { ConditionEntry } from "./error-entry.ts"

/** The errors of judges besides those of their endpoints, and the conditions that measuring a judge can find. */
export const GUARDRAIL_ERRORS = {
  judge_output_unreadable: {
    status: 502,
    title: "Parsing errors with a judge model",
    meaning: "The judge's answer is not in the requested format, so it contains no verdict.",
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
    remedy: "Use a model that is made for judging, or explain in the prompt why the text is shown.",
    retry: "never",
  },
  judge_overblocks: {
    status: 422,
    title: "The judge blocks safe queries",
    meaning:
      "The judge blocks more safe queries than the limit allows. Small judge models, typically under 8B parameters, often do.",
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
    meaning: "A Jinja template is broken, or reads a name that does not exist.",
    remedy: "Correct the line of the template that the message names.",
    retry: "never",
  },
} as const satisfies Record<string, ConditionEntry>

import { built, type Requirement } from "./requirement.ts"

/** Rails, their configurations, their routes, and how judges are measured. */
export const GUARDRAILS_RAILS: readonly Requirement[] = [
  ...built("guardrails §3: Rails", {
    "rails.configuration": "A configuration holds models, prompts, rails and policies in the real platform's form.",
    "rails.configuration-checked": "A configuration that can't work is refused with the place and what to do.",
    "rails.built-in": "content-safety and self-check are there in workspace system.",
    "rails.configs-routes": "Configurations are created, listed, read, changed and removed.",
    "rails.v1-namespace": "Answers of the first version have the workspace as `namespace` too.",
    "rails.checks": "checks answers with the status, each rail's status and the log of activated rails.",
    "rails.policies": "What is unreadable, controversial or failed is decided by policy, and the log says which.",
    "rails.on-error": "Under on_error error checks answers 502 with the code, and 429 stays 429 with Retry-After.",
    "rails.on-unreadable-error":
      "Under on_unreadable error checks answers 200 with status unknown, and chat completions 502.",
    "rails.chat": "chat/completions runs input rails, the model and output rails.",
    "rails.blocked-answer": "A blocked answer has finish_reason content_filter and the configured refusal.",
    "rails.streaming": "Streamed answers pass output rails window by window.",
    "rails.parallel": "Independent input rails run side by side, and the first block cancels the rest.",
    "rails.v1": "The v1 paths answer alike.",
    "rails.chat-model":
      "Guarded chat asks the request's model at the endpoint of main, never silently another, and answers name it.",
    "rails.pinned-model": "A configuration can pin its model; a request that names another one is a 422.",
    "rails.vendor-parsers": "The vendors' parser names are taken for families.",
    "rails.config-id":
      "config_id is a name in the workspace of the path, or workspace/name; config is the data object.",
    "rails.link-local":
      "A link-local endpoint is refused when stored, and inference_unreachable by policy when met later.",
    "rails.hosts": "Inference endpoints are free on an open loopback server, and public or listed otherwise.",
    "rails.bad-request-of-judge": "A judge's 400 becomes the condition that its body shows, else bad_response.",
    "rails.json-schema-probe":
      "A JSON schema is asked for where a probe of the endpoint, remembered, says that it works.",
    "rails.tokens": "Judges are asked at temperature 0 with enough tokens.",
    "rails.vendor-configurations":
      "A config.yml of NeMo Guardrails is taken and run as it is, as far as its rails are judges.",
    "rails.vendor-topic": "A topic control prompt that is the policy alone stands in front of the conversation.",
    "rails.vendor-refused":
      "What of a vendor's configuration is not run and would decide a verdict is refused by name.",
    "rails.vendor-warnings": "What of a vendor's configuration has no effect is accepted with a warning in the answer.",
    "rails.vendor-keys": "A key within a configuration's parameters is refused without being repeated.",
    "rails.vendor-request":
      "options, config_ids with one entry, context and state are taken on the v2 and v1 paths alike.",
    "rails.default-url":
      "Without an address or a main model, the request's model is asked at ASSAY_DEFAULT_INFERENCE_URL.",
    "rails.refusal": "The refusal is the configuration's, else the vendor's message, else the default text.",
    "rails.selection": "options.rails selects the rails that run, and unknown names are refused.",
    "rails.prompt-shows": "A prompt that does not show the judge what it judges is warned about.",
  }),
  ...built("guardrails §4: Calibration", {
    "calibrate.rates":
      "False blocks and misses are reported with Wilson intervals, unreadable left out and under policy.",
    "calibrate.apart": "Unreadable answers by reason and request errors by condition are kept apart from verdicts.",
    "calibrate.agreement": "Precision, recall, F1 and Cohen's kappa are reported, by category and language.",
    "calibrate.flips": "Flips over repeats are reported.",
    "calibrate.latency": "Latency and tokens are reported.",
    "calibrate.blocked-safe": "The safe prompts that were blocked are listed with the raw answers.",
    "calibrate.mcnemar": "Any two judges are compared with McNemar's exact test.",
    "calibrate.too-small": "The report says when the set is too small for the question.",
    "calibrate.roc": "With log-probabilities or vote shares: ROC, recall at fixed false-block rates, and thresholds.",
    "calibrate.gates": "Gates compare the interval and give PASS, INCONCLUSIVE or FAIL, an exit code and JUnit.",
    "calibrate.none-fit":
      "No judge with a failed gate or an open condition is recommended; the report says why, which is nearest and what to do.",
    "calibrate.overblocks":
      "A failed false-block gate carries judge_overblocks, the remedies and the better prompt among the candidates.",
    "calibrate.data": "Labelled prompts are read from CSV and JSON lines, from a folder or a fileset.",
    "calibrate.resumable": "A calibration that was interrupted goes on without asking again.",
    "calibrate.html": "The report is one HTML file with plots and no outside resource.",
    "calibrate.example-set": "A balanced example set in several languages ships with its limits stated.",
    "ensemble.majority": "A majority decides; unreadable members abstain.",
    "ensemble.any-block": "Any block blocks; unreadable members count by policy.",
    "ensemble.cascade": "The next member is asked only when one blocks or is unsure, and saved calls are reported.",
  }),
  ...built("details: CLI of guardrails", {
    "cli.guard.check": "guard check takes an argument, a file or stdin lines and prints one JSON verdict per line.",
    "cli.guard.exit-codes": "guard check ends with 0 or 1, calibrate with 0, 1 or 3, and 2 where the user can fix it.",
    "cli.guard.key": "The key comes from ASSAY_INFERENCE_API_KEY or the variable named.",
    "cli.guard.vendor-files":
      "guard check takes the config.yml and prompts.yml of NeMo Guardrails, and says what has no effect.",
    "cli.guard.calibrate": "guard calibrate compares configurations and writes its reports.",
  }),
  ...built("details: CLI of guardrails", {
    "cli.guard.self-check-script": "A ready script checks a prompt file in CI.",
  }),
]

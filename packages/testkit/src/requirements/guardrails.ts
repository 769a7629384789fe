import { rules, type Requirement } from "./requirement.ts"

/** The client, verdicts, rails and calibration. */
export const GUARDRAILS: readonly Requirement[] = [
  ...rules("guardrails.md#client", {
    "brief.inference.request": "POST …/v1/chat/completions has model, messages and stream in its body.",
    "brief.inference.bearer": "The request has the key as a bearer token.",
    "brief.inference.response": "The answer's choices, usage and prompt_logprobs are read in the brief's shape.",
    "brief.inference.verdict": "A content-safety model's message is a JSON string with a `User Safety` verdict.",
    "brief.inference.key-rejected":
      "401 and 403 mean that the key is invalid or lacks access: a new one must be generated.",
    "brief.inference.key-from-environment": "On the client's side the key comes from an environment variable.",
    "inference.url-forms": "A URL is a base or the whole address of chat completions.",
    "inference.lenient": "Answers are read leniently, prompt_logprobs and stop_reason included.",
    "inference.stream": "Streamed answers are read; a broken connection ends them with a coded error.",
    "inference.coded":
      "Each failure has a code: unreachable, TLS, unauthorized, model unknown, rate limited, timed out, bad answer.",
    "inference.tls":
      "A TLS failure names the certificate's problem and how to trust it, versions before 1.2, or a reset of the handshake.",
    "inference.ca": "A certificate authority of the user is trusted if it is given.",
    "inference.server-bodies": "The error bodies of common servers are recognised.",
    "inference.retry":
      "408, 409, 429, 5xx and broken connections are tried again with Retry-After obeyed; exhausted quota never.",
    "inference.rate-limit":
      "A call that may wait for rate limits waits up to its limit in all, as Retry-After says, and such tries count as no retries.",
    "inference.answer-limits":
      "An answer beyond its limits of size, depth or parts is refused before it is parsed or kept.",
    "inference.encoded":
      "A compressed answer is decoded (gzip, deflate, br, zstd), errors and streams too, with the limits of any answer.",
    "inference.failed-answer":
      "A 200 whose body, choice, finish_reason or event says that the request failed is a failure, and so is a stream that ends before its answer: its status is the one it names, else 502.",
    "inference.stream-forms":
      "Empty events, `message` instead of `delta`, a whole completion for a stream and a stream for a completion are read; a stream that stays open after its last `finish_reason` ends within 5 seconds.",
    "inference.unknown-usage":
      "Tokens that an answer does not give, or gives as a text, a fraction, a negative number, above 2^53 or as zeros, are unknown (null).",
    "inference.timeout": "The time limit covers the body.",
    "inference.key-hidden": "The key shows in no error, no log and no result.",
    "inference.context-numbers": "A prompt that is too long is reported with both token numbers.",
    "inference.python-signals": "Errors of Python services behind the endpoint are recognised by their texts.",
  }),
  ...rules("guardrails.md#rails", {
    "brief.guardrails.self-check": "Self-check rails ask a model to judge the input and the output.",
    "rails.configuration": "A configuration holds models, prompts, rails and policies in the real platform's form.",
    "rails.configuration-checked": "A configuration that can't work is refused with the place and what to do.",
    "rails.built-in": "content-safety and self-check are there in workspace system.",
    "rails.configs-routes": "Configurations are created, listed, read, changed and removed.",
    "rails.filtered": "Configurations are filtered as filesets are.",
    "rails.completions": "completions asks for a text as a chat with one message, through the same rails.",
    "rails.models": "models lists the models behind a configuration.",
    "rails.return-choice": "return_choice returns the findings as the last choice instead of beside the choices.",
    "rails.v1-namespace": "Answers of the first version have the workspace as `namespace` too.",
    "rails.checks": "checks returns the status, each rail's status and the log of activated rails.",
    "rails.prompts-shown": "options.log.llm_calls adds the messages that each judge was asked with to its rail.",
    "rails.policies": "A policy decides on unreadable, controversial and failed answers, and the log names it.",
    "rails.thresholds":
      "A threshold of a policy decides by the log-probabilities of the verdict; without them nothing becomes safe.",
    "rails.on-error": "Under on_error: error, checks returns 502 with the code; a 429 stays a 429 with Retry-After.",
    "rails.on-unreadable-error":
      "Under on_unreadable: error, checks returns 200 with status unknown, and chat completions return 502.",
    "rails.chat": "chat/completions runs input rails, the model and output rails.",
    "rails.blocked-answer": "A blocked answer has finish_reason content_filter and the configured refusal.",
    "rails.streaming": "Streamed answers pass output rails window by window.",
    "rails.parallel": "Independent input rails run side by side, and the first block cancels the rest.",
    "rails.v1": "The v1 paths answer alike.",
    "rails.chat-model":
      "Guarded chat asks the request's model at the endpoint of main, never another one, and the answer names it.",
    "rails.pinned-model": "A configuration can pin its model; a request that names another one is a 422.",
    "rails.vendor-parsers": "The vendors' parser names are read as families.",
    "rails.config-id":
      "config_id is a name in the workspace of the path, or workspace/name; config is the data object.",
    "rails.link-local":
      "A link-local endpoint is refused when stored, and inference_unreachable by policy when met later.",
    "rails.hosts": "Inference endpoints are free on an open loopback server, and public or listed otherwise.",
    "rails.bad-request-of-judge": "A judge's 400 becomes the condition that its body shows, else bad_response.",
    "rails.json-schema-probe": "A JSON schema is requested if a remembered probe of the endpoint shows that it works.",
    "rails.tokens": "Judges are asked at temperature 0 with enough tokens.",
    "rails.vendor-configurations": "A config.yml of NeMo Guardrails runs unchanged as far as its rails are judges.",
    "rails.vendor-topic":
      "A topic control prompt that contains only the policy becomes the system message of the conversation.",
    "rails.vendor-refused":
      "A part of a vendor's configuration that would decide a verdict and is not run is refused by name.",
    "rails.tool-calls":
      "The rule for calls of tools blocks a call of an undeclared tool, or with arguments that its schema refuses.",
    "rails.tool-results": "The rule for results of tools blocks a result that does not answer exactly one call.",
    "rails.patterns": "Patterns block a message, an answer, the arguments of a tool or its result, in linear time.",
    "rails.vendor-warnings":
      "A part of a vendor's configuration without an effect is accepted with a warning in the answer.",
    "rails.vendor-keys": "A key within a configuration's parameters is refused without being repeated.",
    "rails.vendor-request":
      "options, config_ids with one entry, context and state are accepted on the v2 and v1 paths alike.",
    "rails.default-url":
      "Without an address or a main model, the request's model is asked at ASSAY_DEFAULT_INFERENCE_URL.",
    "rails.refusal": "The refusal is the configuration's, else the vendor's message, else the default text.",
    "rails.selection": "options.rails selects the rails that run, and unknown names are refused.",
    "rails.images":
      "The parts of a message reach a judge whose prompt has a message for them; otherwise the message is unreadable.",
    "rails.prompt-shows": "A prompt that does not show the judge what it judges is warned about.",
  }),
  ...rules("guardrails.md#openais-api", {
    "openai.address":
      "Each configuration has an address for clients of OpenAI's API, and default/default also has /openai/v1; the body names no other.",
    "openai.responses":
      "responses is a guarded chat in another form: text and functions, whole or as events in OpenAI's order with numbers and usage.",
    "openai.completions": "completions is a guarded chat whose user message is the prompt.",
    "openai.models":
      "models lists the model of main and those of its endpoint; a pinned configuration lists only its own.",
    "openai.blocked":
      "A blocked request or answer is a normal complete answer with the refusal and usage, in every form, whole and streamed.",
    "openai.refused": "What a guarded chat can't do is a 400 that names the field.",
    "openai.errors":
      "Errors have OpenAI's form beside ours, with the endpoint's status if it is 400, 401, 402, 403, 404, 413, 422 or 429.",
    "openai.retries":
      "The model of a chat is asked at most twice for a request, once if the client says that it retries, and x-should-retry: false marks errors that another request does not change.",
    "openai.clients": "The clients of OpenAI, the AI SDK and LangChain work unchanged, with tools and streams.",
  }),
  ...rules("guardrails.md#calibration", {
    "brief.guardrails.small-judge":
      "A small judge that blocks safe queries is reported, with a larger model or a more precise prompt as remedies.",
    "calibrate.rates":
      "False blocks and misses are reported with Wilson intervals, unreadable left out and under policy.",
    "calibrate.apart": "Unreadable answers by reason and request errors by condition are separate from verdicts.",
    "calibrate.agreement": "Precision, recall, F1 and Cohen's kappa are reported, by category and language.",
    "calibrate.flips": "Flips over repeats are reported.",
    "calibrate.latency": "Latency and tokens are reported.",
    "calibrate.blocked-safe": "The safe prompts that were blocked are listed with the raw answers.",
    "calibrate.mcnemar": "Any two judges are compared with McNemar's exact test.",
    "certify.optimize": "Of several prompts one is certified to keep limits, or it is said how far the nearest is.",
    "certify.edits":
      "Candidates are edits of the prompt's strictness, examples and wording: named, and the same for the same seed.",
    "certify.thresholds":
      "Where an endpoint gives log-probabilities, thresholds of each prompt are candidates of the same certificate.",
    "certify.proposals":
      "A named model proposes prompts from mistakes of the tuning rows; refused ones are named, and a rerun does not ask the model again.",
    "certify.page": "A page shows each candidate's faults against the limits, and what is guaranteed.",
    "certify.verify": "A certificate is computed again from its rows and stored answers; what differs is named.",
    "certify.ask-again":
      "The certified configuration is asked again about the rows that certified it, and the limits are tested anew.",
    "certify.required":
      "A configuration that is not the certified one is refused, to the last character, and so is one whose certificate its rows and stored answers do not confirm.",
    "certify.misses":
      "A certificate says false blocks and misses with bounds, and warns of misses that a calibration calls unfit if they have no limit.",
    "certify.copies": "Copies of a prompt count once, and prompts with both labels are named, in calibrations too.",
    "certify.overwrite": "A certificate is replaced by another one only with --force.",
    "calibrate.judges-agree":
      "Any two judges have Cohen's kappa, and all judges Krippendorff's alpha, with 95 % intervals.",
    "calibrate.too-small": "The report says when the set is too small for the question.",
    "calibrate.roc": "With log-probabilities or vote shares: ROC, recall at fixed false-block rates, and thresholds.",
    "calibrate.gates": "Gates compare the interval and give PASS, INCONCLUSIVE or FAIL, an exit code and JUnit.",
    "calibrate.none-fit":
      "No judge with a failed gate or an open condition is recommended; the report says why, which is nearest and what to do.",
    "calibrate.overblocks":
      "A failed false-block gate has judge_overblocks, the remedies and the better prompt among the candidates.",
    "calibrate.data": "Labelled prompts are read from CSV and JSON lines, from a folder or a fileset.",
    "calibrate.resumable": "An interrupted calibration continues without asking again.",
    "calibrate.html": "The report is one HTML file with plots and no outside resource.",
    "calibrate.example-set": "A balanced example set in several languages ships with its limits stated.",
    "ensemble.majority": "A majority decides; unreadable members abstain.",
    "ensemble.any-block": "Any block blocks; unreadable members count by policy.",
    "ensemble.cascade": "The next member is asked only if one blocks or is unsure, and saved calls are reported.",
  }),
  ...rules("guardrails.md#verdicts", {
    "verdict.cut-word":
      "A safe word at the very end of an answer that the token limit cut is truncated; a judge that may write only one token is warned of.",
    "verdict.total": "Reading never throws and always returns a verdict or a reason.",
    "verdict.never-guesses-safe": "No mutation of an unsafe answer is read as safe, but for those listed as ambiguous.",
    "verdict.families": "The answers of all families are read.",
    "verdict.detected": "The family is detected if none is given.",
    "verdict.reasoning": "A verdict inside reasoning never counts.",
    "verdict.contradictory":
      "Verdicts that disagree are contradictory in any families; neither the first nor the last counts.",
    "verdict.closing-tag": "A verdict before a closing tag that nothing opened has to agree with the one after it.",
    "verdict.whole-value": "A value that is hedged, negated or withdrawn by a remark is unreadable.",
    "verdict.understood": "A safe verdict stands only if all that stands beside it in the answer is understood.",
    "verdict.realistic": "Safe answers as judges write them, with reasons and fields beside the verdict, are read.",
    "verdict.tool-call": "The arguments of tool calls are read as part of the answer.",
    "verdict.duplicate-keys": "Duplicate keys of one object are looked at before parsing hides them.",
    "verdict.safe-with-categories": "Safe with categories listed keeps both.",
    "verdict.category-family": "Categories keep their family; tables and mappings are data.",
    "verdict.response-only": "An input rail that gets only a response verdict has an unreadable answer.",
    "verdict.linear": "Reading takes linear time on hostile input.",
    "verdict.idempotent": "Reading a verdict's own canonical form gives the same verdict.",
    "verdict.message": "Refusals, content filters and reasoning fields of a whole message are reported.",
    "verdict.self-check-languages": "Self-checks answer yes and no in the languages of a data file.",
    "verdict.reference": "The reference answers are read as required.",
    "verdict.normalised": "Marks, quotes, entities and template tokens are normalised before reading.",
    "verdict.keys": "Keys match without regard to case, blanks, underscores or camel case.",
    "verdict.unknown-value":
      "Booleans, numbers, translations, look-alike letters and copied placeholders are unknown values.",
    "verdict.damaged": "Damage is read when the verdict's own value is whole.",
    "verdict.truncated": "A cut value is truncated; a cut category list keeps the verdict.",
    "verdict.prose": "Prose is not a verdict.",
  }),
]

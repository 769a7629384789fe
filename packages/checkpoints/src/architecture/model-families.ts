import type { JsonObject } from "@assay/json"
import { type DefaultSizes, textAt, textsOf } from "./config-values.ts"

/** The properties that models of one family share and that no config contains. */
export interface ModelFamily {
  readonly family: string
  /** Values of `model_type` other than the family's name. */
  readonly modelTypes?: readonly string[]
  /** Class names in `architectures`, without their ends. All class names of the family begin with one of these. */
  readonly classes: readonly string[]
  /** Values of `general.architecture` in GGUF files. */
  readonly gguf?: readonly string[]
  readonly kind: "decoder" | "encoder" | "encoder-decoder" | "state-space"
  readonly gated: boolean
  /** Name of vLLM's parser for the tool calls of the family's chat models. */
  readonly parser?: string
  /** Inner size of the MLP as a multiple of the hidden size, for configs that omit it. */
  readonly ffnFactor?: number
  /** Whether the output head shares the embedding table if the config does not say so. Default false. */
  readonly tied?: boolean
  /** Whether the number of positions already includes the factor of a linear rotary scaling. */
  readonly isStretched?: boolean
  /** Number of positions in the table that are not for tokens. */
  readonly extraPositions?: number
  /**
   * The defaults of the class that reads the config of the text model in `transformers`. Multimodal configs omit values
   * that equal them.
   */
  readonly defaults?: DefaultSizes
  /** Whether the weights of linear layers have the shape `[in, out]`. */
  readonly isTransposed?: boolean
}

type Traits = Partial<Omit<ModelFamily, "family" | "classes">>

const decoder = (family: string, classes: readonly string[], traits: Traits = {}): ModelFamily => ({
  family,
  classes,
  kind: "decoder",
  gated: true,
  ...traits,
})
const encoder = (family: string, classes: readonly string[], traits: Traits = {}): ModelFamily => ({
  ...decoder(family, classes, traits),
  kind: "encoder",
  gated: traits.gated ?? false,
  tied: true,
})

/** The known families. A model of another family is described only by its config and tensors. */
const MODEL_FAMILIES: readonly ModelFamily[] = [
  decoder("llama", ["Llama", "LLaMA", "LlamaBidirectional"], {
    modelTypes: ["llama_bidirec"],
    gguf: ["llama"],
    parser: "llama3_json",
    defaults: { layers: 32, hidden: 4096, heads: 32, ffn: 11008, vocab: 32000, context: 2048 },
  }),
  decoder("llama4", ["Llama4"], { modelTypes: ["llama4_text"], gguf: ["llama4"], parser: "llama4_pythonic" }),
  decoder("mllama", ["Mllama"], { modelTypes: ["mllama_text_model"], parser: "llama3_json" }),
  decoder("mistral", ["Mistral", "Mistral3"], {
    modelTypes: ["mistral3", "ministral"],
    parser: "mistral",
    defaults: { layers: 32, hidden: 4096, heads: 32, kvHeads: 8, ffn: 14336, vocab: 32000, context: 131072 },
  }),
  decoder("mixtral", ["Mixtral"], { parser: "mistral" }),
  decoder("qwen2", ["Qwen2", "Qwen2VL", "Qwen2_5_VL"], {
    modelTypes: ["qwen2_vl", "qwen2_5_vl", "qwen2_vl_text", "qwen2_5_vl_text"],
    gguf: ["qwen2", "qwen2vl"],
    parser: "hermes",
  }),
  decoder("qwen2_moe", ["Qwen2Moe"], { gguf: ["qwen2moe"], parser: "hermes" }),
  decoder("qwen3", ["Qwen3", "Qwen3VL"], {
    modelTypes: ["qwen3_vl", "qwen3_vl_text"],
    gguf: ["qwen3", "qwen3vl"],
    parser: "hermes",
  }),
  decoder("qwen3_moe", ["Qwen3Moe", "Qwen3VLMoe"], {
    modelTypes: ["qwen3_vl_moe", "qwen3_vl_moe_text"],
    gguf: ["qwen3moe", "qwen3vlmoe"],
    parser: "hermes",
  }),
  decoder("qwen3_next", ["Qwen3Next"], { gguf: ["qwen3next"], parser: "hermes" }),
  decoder("gemma", ["Gemma"], {
    gguf: ["gemma"],
    tied: true,
    defaults: {
      layers: 28,
      hidden: 3072,
      heads: 16,
      kvHeads: 16,
      headSize: 256,
      ffn: 24576,
      vocab: 256000,
      context: 8192,
    },
  }),
  decoder("gemma2", ["Gemma2"], {
    gguf: ["gemma2"],
    tied: true,
    defaults: {
      layers: 26,
      hidden: 2304,
      heads: 8,
      kvHeads: 4,
      headSize: 256,
      ffn: 9216,
      vocab: 256000,
      context: 8192,
    },
  }),
  decoder("gemma3", ["Gemma3", "Gemma3Text"], {
    modelTypes: ["gemma3_text"],
    gguf: ["gemma3", "gemma-embedding"],
    parser: "pythonic",
    tied: true,
    defaults: {
      layers: 26,
      hidden: 2304,
      heads: 8,
      kvHeads: 4,
      headSize: 256,
      ffn: 9216,
      vocab: 262208,
      context: 131072,
    },
    isStretched: true,
  }),
  decoder("gemma3n", ["Gemma3n"], {
    modelTypes: ["gemma3n_text"],
    gguf: ["gemma3n"],
    parser: "pythonic",
    tied: true,
    defaults: {
      layers: 35,
      hidden: 2048,
      heads: 8,
      kvHeads: 2,
      headSize: 256,
      ffn: 16384,
      vocab: 262400,
      context: 32768,
    },
  }),
  decoder("phi", ["Phi"], { modelTypes: ["phi-msft"], gguf: ["phi2"], gated: false }),
  decoder("phi3", ["Phi3", "Phi3Small", "Phi4MM"], {
    modelTypes: ["phi3small", "phi3_v", "phi4mm"],
    gguf: ["phi3"],
    parser: "phi4_mini_json",
  }),
  decoder("phimoe", ["PhiMoE", "Phimoe"], { gguf: ["phimoe"] }),
  decoder("deepseek", ["Deepseek"], { gguf: ["deepseek"] }),
  decoder("deepseek_v2", ["DeepseekV2", "DeepseekVLV2"], { gguf: ["deepseek2"] }),
  decoder("deepseek_v3", ["DeepseekV3"], { parser: "deepseek_v3" }),
  decoder("deepseek_v32", ["DeepseekV32"], { parser: "deepseek_v31" }),
  decoder("kimi_k2", ["KimiK2"], { parser: "kimi_k2" }),
  decoder("falcon", ["Falcon", "RW"], {
    modelTypes: ["RefinedWeb", "RefinedWebModel"],
    gguf: ["falcon"],
    gated: false,
    ffnFactor: 4,
    tied: true,
  }),
  decoder("falcon_h1", ["FalconH1"], { gguf: ["falcon-h1"], parser: "hermes" }),
  decoder("gpt2", ["GPT2"], { gguf: ["gpt2"], gated: false, ffnFactor: 4, tied: true, isTransposed: true }),
  decoder("gpt_bigcode", ["GPTBigCode"], { gguf: ["starcoder"], gated: false, ffnFactor: 4, tied: true }),
  decoder("gpt_neo", ["GPTNeo"], { gated: false, ffnFactor: 4, tied: true }),
  decoder("gpt_neox", ["GPTNeoX"], { gguf: ["gptneox"], gated: false, ffnFactor: 4 }),
  decoder("gptj", ["GPTJ"], { gguf: ["gptj"], gated: false, ffnFactor: 4 }),
  decoder("gpt_oss", ["GptOss"], { gguf: ["gpt-oss"], parser: "openai" }),
  decoder("opt", ["OPT"], { gated: false, tied: true }),
  decoder("bloom", ["Bloom"], { gguf: ["bloom"], gated: false, ffnFactor: 4, tied: true }),
  decoder("mpt", ["MPT", "Mpt"], { gguf: ["mpt"], gated: false, ffnFactor: 4, tied: true }),
  decoder("stablelm", ["StableLm", "StableLMEpoch"], { modelTypes: ["stablelm_epoch"], gguf: ["stablelm"] }),
  decoder("starcoder2", ["Starcoder2"], { gguf: ["starcoder2"], gated: false, tied: true }),
  decoder("nemotron", ["Nemotron"], { gguf: ["nemotron"], gated: false }),
  decoder("nemotron_nas", ["DeciLM"], { modelTypes: ["nemotron-nas", "deci"], gguf: ["deci"], parser: "llama3_json" }),
  decoder("nemotron_h", ["NemotronH"], { gguf: ["nemotron_h", "nemotron_h_moe"], gated: false }),
  decoder("granite", ["Granite"], { gguf: ["granite"], parser: "granite" }),
  decoder("granitemoe", ["GraniteMoe", "GraniteMoeShared"], {
    modelTypes: ["granitemoeshared"],
    gguf: ["granitemoe"],
    parser: "granite",
  }),
  decoder("granitemoehybrid", ["GraniteMoeHybrid"], { gguf: ["granitehybrid"], parser: "hermes" }),
  decoder("cohere", ["Cohere"], { gguf: ["command-r"], tied: true }),
  decoder("cohere2", ["Cohere2"], { gguf: ["cohere2"], tied: true }),
  decoder("olmo", ["OLMo", "Olmo"], { gguf: ["olmo"] }),
  decoder("olmo2", ["Olmo2"], { gguf: ["olmo2"] }),
  decoder("olmo3", ["Olmo3"], { parser: "olmo3" }),
  decoder("olmoe", ["OlmoE", "Olmoe"], { gguf: ["olmoe"] }),
  decoder("chatglm", ["ChatGLM"], { gguf: ["chatglm"] }),
  decoder("glm", ["Glm"], {}),
  decoder("glm4", ["Glm4"], { gguf: ["glm4"] }),
  decoder("glm4_moe", ["Glm4Moe"], { gguf: ["glm4moe"], parser: "glm45" }),
  decoder("internlm2", ["InternLM2", "InternLM3"], {
    modelTypes: ["internlm3"],
    gguf: ["internlm2"],
    parser: "internlm",
  }),
  decoder("baichuan", ["Baichuan", "BaiChuan"], { gguf: ["baichuan"] }),
  decoder("minicpm", ["MiniCPM"], { gguf: ["minicpm"] }),
  decoder("minimax", ["MiniMaxText01", "MiniMaxM1", "MiniMax"], {
    modelTypes: ["minimax_text_01", "minimax_m1"],
    parser: "minimax",
  }),
  decoder("dbrx", ["Dbrx"], { gguf: ["dbrx"] }),
  decoder("exaone", ["Exaone"], { gguf: ["exaone"] }),
  decoder("exaone4", ["Exaone4"], { gguf: ["exaone4"], parser: "hermes" }),
  decoder("ernie4_5", ["Ernie4_5"], { gguf: ["ernie4_5"] }),
  decoder("ernie4_5_moe", ["Ernie4_5_Moe", "Ernie4_5Moe"], { gguf: ["ernie4_5-moe"] }),
  decoder("hunyuan_v1_moe", ["HunYuanMoEV1"], {
    modelTypes: ["hunyuan"],
    gguf: ["hunyuan-moe"],
    parser: "hunyuan_a13b",
  }),
  decoder("seed_oss", ["SeedOss"], { gguf: ["seed_oss"], parser: "seed_oss" }),
  decoder("smollm3", ["SmolLM3"], { gguf: ["smollm3"], parser: "hermes", tied: true }),
  decoder("lfm2", ["Lfm2"], { gguf: ["lfm2"], tied: true }),
  decoder("jamba", ["Jamba"], { gguf: ["jamba"], parser: "jamba" }),
  decoder("bamba", ["Bamba"], {}),
  decoder("zamba2", ["Zamba2"], { tied: true }),
  decoder("mamba", ["Mamba", "FalconMamba"], {
    modelTypes: ["falcon_mamba"],
    gguf: ["mamba"],
    kind: "state-space",
    gated: false,
    tied: true,
  }),
  decoder("mamba2", ["Mamba2"], { gguf: ["mamba2"], kind: "state-space", gated: false }),
  encoder("bert", ["Bert"], { gguf: ["bert"] }),
  encoder("distilbert", ["DistilBert"]),
  encoder("electra", ["Electra"]),
  encoder("mpnet", ["MPNet"], { extraPositions: 2 }),
  encoder("roberta", ["Roberta", "Camembert"], { modelTypes: ["camembert"], extraPositions: 2 }),
  encoder("xlm-roberta", ["XLMRoberta", "XLMRobertaXL"], { modelTypes: ["xlm-roberta-xl"], extraPositions: 2 }),
  encoder("deberta-v2", ["DebertaV2"]),
  encoder("modernbert", ["ModernBert"], { gguf: ["modern-bert"], gated: true }),
  encoder("nomic_bert", ["NomicBert"], { gguf: ["nomic-bert", "nomic-bert-moe"], gated: true }),
  encoder("new", ["New", "Gte"], { modelTypes: ["gte"], gated: true }),
  decoder("t5", ["T5", "MT5", "UMT5", "LongT5"], {
    modelTypes: ["mt5", "umt5", "longt5"],
    gguf: ["t5", "t5encoder"],
    kind: "encoder-decoder",
    gated: false,
    tied: true,
  }),
  decoder("bart", ["Bart", "MBart"], { modelTypes: ["mbart"], kind: "encoder-decoder", gated: false, tied: true }),
  decoder("whisper", ["Whisper"], { kind: "encoder-decoder", gated: false, tied: true }),
]

/** The end of a class name, which says what the class is for. */
const HEAD = /(For[A-Z]\w*|LMHeadModel|LMHead|EncoderModel|TextModel|Model)$/

/** Returns the family of the first config that indicates one: by `model_type`, or else by the name of its class. */
export function findFamily(configs: readonly JsonObject[]): ModelFamily | undefined {
  return configs.map(byModelType).find((family) => family) ?? configs.map(byClass).find((family) => family)
}

/** Returns the first class that the configs name. */
export function architectureOf(configs: readonly JsonObject[]): string | undefined {
  return configs.map((config) => textsOf(config, "architectures")?.[0]).find((name) => name)
}

/** Returns the family of a `general.architecture`. */
export function findGgufFamily(architecture: string): ModelFamily | undefined {
  return MODEL_FAMILIES.find(({ gguf }) => gguf?.includes(architecture))
}

function byModelType(config: JsonObject): ModelFamily | undefined {
  const type = textAt(config, "model_type")
  if (type === undefined) return undefined
  return MODEL_FAMILIES.find(({ family, modelTypes }) => family === type || modelTypes?.includes(type))
}

function byClass(config: JsonObject): ModelFamily | undefined {
  const stem = architectureOf([config])?.replace(HEAD, "")
  return stem === undefined ? undefined : MODEL_FAMILIES.find(({ classes }) => classes.includes(stem))
}

// PRISM in the editors of JupyterLab 4: a language for CodeMirror. Written by hand as the container that JupyterLab
// loads an extension from (init is given the shared modules, get makes a module of ours), so that nothing is built.
"use strict";

(() => {
  let shared = {};

  const load = async (name) => {
    const versions = shared[name];
    const [version] = Object.keys(versions);
    return (await versions[version].get())();
  };

  const DECLARATIONS = new Set(
    ("dynamic discontiguous initialization include ensure_loaded table mode op module p_table p_not_table values " +
      "values_x data failure target prism_main disable_write_call").split(" ")
  );
  const CONTROL = new Set(
    "true fail false repeat once call catch throw findall bagof setof forall foreach halt is mod rem not".split(" ")
  );
  const PRISM = new Set(
    ("msw soft_msw b_msw learn sample prob log_prob probf viterbi viterbif viterbig hindsight chindsight set_sw get_sw " +
      "fix_sw show_sw prism prismn set_prism_flag get_prism_flag").split(" ")
  );

  const quoted = (stream, state, quote, style) => {
    let ch;
    while ((ch = stream.next()) !== undefined) {
      if (ch === "\\") stream.next();
      else if (ch === quote && !stream.eat(quote)) {
        state.quote = null;
        return style;
      }
    }
    state.quote = quote;
    return style;
  };
  const STYLES = { "'": "string", '"': "string", "`": "string" };

  const prism = {
    name: "prism",
    startState: () => ({ comment: false, quote: null }),
    token(stream, state) {
      if (state.comment) {
        if (stream.skipTo("*/")) {
          stream.match("*/");
          state.comment = false;
        } else stream.skipToEnd();
        return "comment";
      }
      if (state.quote) return quoted(stream, state, state.quote, STYLES[state.quote]);
      if (stream.sol() && stream.match(/%%?(program|load|sw|next|all|help)\b.*/)) return "meta";
      if (stream.eatSpace()) return null;
      if (stream.match(/%.*/)) return "comment";
      if (stream.match("/*")) {
        state.comment = true;
        return "comment";
      }
      if (stream.match(/0'(\\.|''|[^'\\])/)) return "string";
      if (stream.match(/\d+(\.\d+([eE][-+]?\d+)?|'[0-9A-Za-z]+)?/)) return "number";
      if (stream.match(/[A-Z_]\w*/)) return "variableName";
      const word = stream.match(/[a-z]\w*/);
      if (word) {
        if (DECLARATIONS.has(word[0])) return "keyword";
        if (CONTROL.has(word[0])) return "keyword";
        if (PRISM.has(word[0])) return "variableName.standard";
        return stream.peek() === "(" ? "variableName.function" : "atom";
      }
      if (stream.match(/:-|-->|\?-/)) return "keyword";
      const ch = stream.next();
      if (ch in STYLES) return quoted(stream, state, ch, STYLES[ch]);
      if (/[-+*\/\\^<>=~:?@#&$!;|]/.test(ch)) return "operator";
      return null;
    },
    languageData: { commentTokens: { line: "%", block: { open: "/*", close: "*/" } } },
  };

  const extension = async () => {
    const { IEditorLanguageRegistry } = await load("@jupyterlab/codemirror");
    const { StreamLanguage, LanguageSupport } = await load("@codemirror/language");
    return {
      id: "prism-repl:language",
      description: "Highlights PRISM.",
      autoStart: true,
      requires: [IEditorLanguageRegistry],
      activate: (app, languages) => {
        languages.addLanguage({
          name: "prism",
          displayName: "PRISM",
          mime: "text/x-prism",
          extensions: ["psm"],
          support: new LanguageSupport(StreamLanguage.define(prism)),
        });
      },
    };
  };

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["prism-repl"] = {
    init: (scope) => {
      shared = scope;
    },
    get: async (name) => {
      if (name !== "./extension") throw new Error(`prism-repl has no module ${name}`);
      const plugin = await extension();
      return () => ({ __esModule: true, default: plugin });
    },
  };
})();

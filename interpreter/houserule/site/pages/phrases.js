// The phrases that only a site without a server needs, in the languages of all pages.

import { LANGUAGES, currentLanguage } from "./words.js";

const ROWS = {
  pass_to: ["Pass the device to {name}", "Gib das Gerät an {name} weiter", "把裝置交給{name}", "{name}に端末を渡してください"],
  i_am: ["I am {name}", "Ich bin {name}", "我是{name}", "{name}です"],
  starting: ["Starting …", "Startet …", "啟動中……", "起動中……"],
  ready: ["Ready", "Bereit", "就緒", "準備完了"],
  stopped: ["The rules did not answer in time ({what}). They were stopped, and the interpreter starts anew.", "Die Regeln haben zu lange nicht geantwortet ({what}). Sie wurden angehalten; der Interpreter startet neu.", "規則太久沒有回應（{what}），已停止並重新啟動。", "ルールの応答が遅すぎたため（{what}）停止し、再起動しています。"],
  failed: ["The interpreter could not start: {what}", "Der Interpreter konnte nicht starten: {what}", "無法啟動：{what}", "起動できませんでした：{what}"],
};

export function arranged(key, values = {}) {
  const row = ROWS[key];
  return row[Math.max(0, LANGUAGES.indexOf(currentLanguage()))].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

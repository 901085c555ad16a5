// The phrases of the pages, in each of their languages. What games say comes from the server.

import { keep } from "./kept.js";

export const LANGUAGES = ["en", "de", "zh-Hant", "ja"];
export const NAMES = { en: "English", de: "Deutsch", "zh-Hant": "繁體中文", ja: "日本語" };

const ROWS = {
  rooms: ["Rooms", "Räume", "房間", "部屋"],
  welcome: ["Pick a game, send the link, play.", "Spiel wählen, Link schicken, spielen.", "選個遊戲，傳出連結，開始玩。", "ゲームを選び、リンクを送り、遊ぶ。"],
  welcome_here: ["Pick a game and play: against bots, or with others at this device.", "Spiel wählen und spielen: gegen Bots oder mit anderen an diesem Gerät.", "選個遊戲開始玩：和電腦玩，或和身邊的人共用這台裝置。", "ゲームを選んで遊ぶ。相手はボットでも、この端末を囲む人でも。"],
  choose_game: ["Choose a game", "Spiel wählen", "選擇遊戲", "ゲームを選ぶ"],
  players: ["Players", "Personen", "玩家人數", "人数"],
  seat: ["Seat {n}", "Platz {n}", "座位 {n}", "席 {n}"],
  person: ["a person", "ein Mensch", "真人", "人"],
  bot: ["Bot: {name}", "Bot: {name}", "電腦：{name}", "ボット：{name}"],
  easy: ["Easy bot", "Leichter Bot", "電腦（簡單）", "ボット（やさしい）"],
  medium: ["Medium bot", "Mittlerer Bot", "電腦（普通）", "ボット（ふつう）"],
  hard: ["Hard bot", "Schwerer Bot", "電腦（困難）", "ボット（むずかしい）"],
  house_rules: ["House rules", "Hausregeln", "房規", "ハウスルール"],
  options: ["Options", "Einstellungen", "選項", "設定"],
  seed: ["Seed (the same seed deals the same match)", "Startzahl (für eine Partie, die wie zuvor gegeben wird)", "種子（重現同一局）", "シード（同じ配りを再現）"],
  room: ["The room", "Der Raum", "房間", "部屋"],
  clock: ["Time to think", "Bedenkzeit", "思考時間", "持ち時間"],
  no_clock: ["no limit", "unbegrenzt", "不限", "無制限"],
  per_turn: ["{time} for each answer", "{time} je Antwort", "每次作答 {time}", "1回につき{time}"],
  per_match: ["{time} for the match", "{time} für die Partie", "全局 {time}", "対局全体で{time}"],
  is_open: ["Anybody may join: list it on the first page", "Alle dürfen mitspielen: auf der ersten Seite zeigen", "開放加入：列在首頁", "誰でも参加可：最初のページに載せる"],
  my_rooms: ["My rooms", "Meine Räume", "我的房間", "自分の部屋"],
  open_rooms: ["Open rooms", "Offene Räume", "開放的房間", "参加できる部屋"],
  nobody_yet: ["nobody yet", "noch niemand", "還沒有人", "まだ誰もいません"],
  free_seats: ["free seats: {n}", "freie Plätze: {n}", "空位：{n}", "空席：{n}"],
  over: ["over", "beendet", "已結束", "終了"],
  create: ["Create a room", "Raum anlegen", "建立房間", "部屋を作る"],
  language: ["Language", "Sprache", "語言", "言語"],
  rules: ["Rules", "Regeln", "規則", "ルール"],
  read_rules: ["Rules of {title}", "Regeln von {title}", "《{title}》規則", "「{title}」のルール"],
  invite: ["Send this link to the others", "Schick den anderen diesen Link", "把這個連結傳給其他人", "このリンクを他の人に送ってください"],
  copy: ["Copy the link", "Link kopieren", "複製連結", "リンクをコピー"],
  copied: ["Copied", "Kopiert", "已複製", "コピーしました"],
  share: ["Share", "Teilen", "分享", "共有"],
  qr: ["QR code of the link", "QR-Code des Links", "連結的 QR 碼", "リンクのQRコード"],
  your_name: ["Your name", "Dein Name", "你的名字", "名前"],
  sit: ["Sit here", "Hier hinsetzen", "坐這裡", "ここに座る"],
  leave: ["Stand up", "Aufstehen", "離座", "席を立つ"],
  start: ["Begin the match", "Partie beginnen", "開始遊戲", "ゲームを始める"],
  free: ["free", "frei", "空位", "空席"],
  you: ["you", "du", "你", "あなた"],
  away: ["away", "nicht da", "不在", "不在"],
  stand_in: ["a bot plays", "ein Bot spielt", "電腦代打", "ボットが代打中"],
  is_away: ["{name} is away.", "{name} ist nicht da.", "{name}不在。", "{name}は不在です。"],
  relieve: ["Let a bot play meanwhile", "Solange einen Bot spielen lassen", "暫由電腦代打", "その間ボットに任せる"],
  bot_wanted: ["For a bot: {names}.", "Für einen Bot: {names}.", "贊成電腦代打：{names}。", "ボットに賛成：{names}。"],
  is_relieved: ["A bot plays for {name} until they are back.", "Für {name} spielt ein Bot, bis {name} zurück ist.", "{name}回來之前由電腦代打。", "{name}が戻るまでボットが代わりに打ちます。"],
  waiting_seats: ["Waiting until every seat is taken.", "Wir warten, bis alle Plätze besetzt sind.", "等待所有座位坐滿。", "全員が座るのを待っています。"],
  watching: ["You are watching.", "Du siehst zu.", "你正在觀戰。", "観戦中です。"],
  seed_chosen: ["The seed was chosen, so somebody may know what is coming.", "Die Startzahl wurde gewählt; jemand könnte wissen, was kommt.", "種子由人指定，可能有人知道接下來的結果。", "シードが指定されたため、先を知る人がいるかもしれません。"],
  your_turn: ["Your turn", "Du bist dran", "輪到你", "あなたの番"],
  waits_for: ["Waiting for {names}", "Wir warten auf {names}", "等待{names}", "{names}を待っています"],
  race: ["Who is fastest?", "Wer ist am schnellsten?", "誰最快？", "一番早いのは？"],
  raced: ["{name} was first after {time}, {by} before {other}.", "{name} war nach {time} zuerst da, {by} vor {other}.", "{name}以 {time} 最快，領先{other} {by}。", "{name}が{time}で一番、{other}より{by}早い。"],
  raced_alone: ["{name} was first, after {time}.", "{name} war nach {time} zuerst da.", "{name}以 {time} 最快。", "{name}が{time}で一番。"],
  nobody_raced: ["Nobody reacted.", "Niemand hat reagiert.", "沒有人反應。", "誰も反応しませんでした。"],
  choose: ["Choose", "Wähle", "請選擇", "選んでください"],
  take: ["Take {amount}", "Nimm {amount}", "選 {amount} 個", "{amount}個選ぶ"],
  you_chose: ["You chose {what}.", "Du hast {what} gewählt.", "你選了{what}。", "{what}を選びました。"],
  change: ["Change it", "Ändern", "更改", "変更する"],
  from_to: ["{low} to {high}", "{low} bis {high}", "{low} 到 {high}", "{low}〜{high}"],
  up_to: ["up to {high}", "bis zu {high}", "最多 {high}", "{high}まで"],
  confirm: ["Confirm", "Bestätigen", "確定", "決定"],
  clear: ["Choose again", "Neu wählen", "重新選擇", "選び直す"],
  on_table: ["Pick on the table, or from the list.", "Wähle auf dem Tisch oder aus der Liste.", "在桌面上點選，或從清單選擇。", "テーブル上かリストから選べます。"],
  all_options: ["All options as a list ({n})", "Alle Möglichkeiten als Liste ({n})", "以清單列出所有選項（{n}）", "すべての選択肢をリストで（{n}）"],
  ask_first: ["Confirm each answer", "Jede Antwort bestätigen", "每次作答前先確認", "毎回確認する"],
  undo: ["Take back my last answer", "Meine letzte Antwort zurücknehmen", "收回我上一步", "直前の回答を取り消す"],
  asks_undo: ["{name} asks to take back their last answer.", "{name} möchte die letzte Antwort zurücknehmen.", "{name}想收回上一步。", "{name}が直前の回答の取り消しを求めています。"],
  allow: ["Allow", "Erlauben", "同意", "許可する"],
  refuse: ["Refuse", "Ablehnen", "拒絕", "断る"],
  changed: ["What has just happened", "Was gerade geschah", "剛剛發生的事", "今起きたこと"],
  sounds: ["Sounds", "Töne", "音效", "音"],
  notices: ["Tell me when it is my turn", "Melden, wenn ich dran bin", "輪到我時通知", "自分の番を知らせる"],
  unfold: ["All sides", "Alle Seiten", "所有面", "すべての面"],
  turn_left: ["Turn to the left", "Nach links drehen", "向左轉", "左に回す"],
  turn_right: ["Turn to the right", "Nach rechts drehen", "向右轉", "右に回す"],
  whole: ["All of it", "Ganz zeigen", "全部顯示", "全体を見る"],
  fold: ["Fold", "Zuklappen", "收合", "たたむ"],
  log: ["Log", "Verlauf", "記錄", "ログ"],
  table: ["Table", "Tisch", "桌面", "テーブル"],
  sheet: ["Score sheet", "Wertung", "計分表", "得点表"],
  total: ["Total", "Summe", "總分", "合計"],
  replay: ["Replay step by step", "Schritt für Schritt ansehen", "逐步重播", "一手ずつ見直す"],
  rematch: ["Play again", "Noch einmal spielen", "再來一局", "もう一度遊ぶ"],
  next_match: ["The same people play again.", "Dieselbe Runde spielt noch einmal.", "同桌再來一局。", "同じメンバーでもう一度遊びます。"],
  go_there: ["Go there", "Hingehen", "前往", "そちらへ"],
  record: ["Download the record", "Aufzeichnung laden", "下載紀錄", "棋譜を保存"],
  lost: ["Connection lost. Reconnecting …", "Die Verbindung ist weg. Neuer Versuch …", "連線中斷，正在重新連線……", "接続が切れました。再接続中……"],
  connected: ["Connected", "Verbunden", "已連線", "接続しました"],
  step: ["Step {n} of {all}", "Schritt {n} von {all}", "第 {n} 步，共 {all} 步", "{all}手中 {n}手目"],
  back: ["Back", "Zurück", "上一步", "前へ"],
  forward: ["Forward", "Vor", "下一步", "次へ"],
  play: ["Play on by itself", "Von selbst weiter", "自動播放", "自動再生"],
  stop: ["Stop", "Anhalten", "停止", "停止"],
  close: ["Close", "Schließen", "關閉", "閉じる"],
  beginning: ["The beginning", "Der Anfang", "開局", "初期配置"],
  answered_by: ["{name} answered.", "{name} hat geantwortet.", "{name}作答。", "{name}が答えました。"],
  open_record: ["Watch a match: open its record", "Eine Partie ansehen: Aufzeichnung öffnen", "觀看對局：開啟紀錄", "対局を見る：棋譜を開く"],
  to_room: ["To the room", "Zum Raum", "回到房間", "部屋へ"],
  to_lobby: ["All rooms", "Alle Räume", "所有房間", "部屋一覧"],
  for_players: ["For {low} to {high} players", "Für {low} bis {high} Personen", "{low} 至 {high} 人", "{low}〜{high}人用"],
  for_number: ["For {low} players", "Für {low} Personen", "{low} 人", "{low}人用"],
  face_down: ["face down", "verdeckt", "背面", "裏向き"],
  offered: ["can be chosen", "wählbar", "可選", "選べます"],
  chosen: ["chosen", "gewählt", "已選", "選択済み"],
  new: ["new", "neu", "新", "新"],
  pieces_here: ["{n} here", "{n} hier", "這裡有 {n} 個", "{n}個"],
  seconds: ["{n} s", "{n} s", "{n} 秒", "{n}秒"],
  refused: ["That was not possible: {why}", "Das ging nicht: {why}", "無法執行：{why}", "できませんでした：{why}"],
  fault: ["A rule has failed: {why}", "Eine Regel lässt sich nicht ausführen: {why}", "有條規則無法執行：{why}", "実行できないルールがあります：{why}"],
  seat_key: ["Your seat on another device", "Dein Platz auf einem anderen Gerät", "在其他裝置使用你的座位", "別の端末で自分の席に座る"],
  settings: ["Settings", "Einstellungen", "設定", "設定"],
  skip: ["To the question", "Zur Frage", "跳至問題", "質問へ"],
};

const REASONS = {
  "too-fast": ["too many messages at once", "zu viele Nachrichten auf einmal", "訊息太多，請稍候", "送信が多すぎます"],
  "too-many": ["there are too many rooms", "es gibt zu viele Räume", "房間太多", "部屋が多すぎます"],
  lines: [
    "too many pages from your address are watching rooms; close some of them",
    "von dieser Adresse sehen zu viele Seiten in Räume; schließe einige davon",
    "從你的位址開啟的頁面太多，請關閉一些",
    "この接続元から開いているページが多すぎます。いくつか閉じてください",
  ],
  pages: [
    "you have this room open on too many other pages",
    "du hast diesen Raum auf zu vielen anderen Seiten offen",
    "你已在太多其他頁面開啟這個房間",
    "この部屋を他のページで開きすぎています",
  ],
  full: ["too many people are watching this room", "zu viele sehen hier schon zu", "房間已滿", "この部屋は満員です"],
  game: ["this server does not have that game", "dieses Spiel gibt es hier nicht", "這裡沒有這個遊戲", "このゲームはありません"],
  "house-rule": ["these house rules cannot be combined", "diese Hausregeln passen nicht zusammen", "房規不相容", "このハウスルールは使えません"],
  option: ["an option has a value that it cannot have", "eine Einstellung hat einen unmöglichen Wert", "選項的值不正確", "設定の値が正しくありません"],
  "no-room": ["there is no such room", "diesen Raum gibt es nicht", "沒有這個房間", "この部屋はありません"],
  "rules-changed": ["the rules have changed since the match began", "die Regeln haben sich seit Beginn der Partie geändert", "開局後規則已變更", "開始後にルールが変わりました"],
  damaged: ["this room is damaged", "dieser Raum ist beschädigt", "這個房間已損壞", "この部屋は壊れています"],
  "worn-out": [
    "there has been too much coming, going and taking back in this room; make a new one",
    "hier wurde zu oft gekommen, gegangen und zurückgenommen; mache einen neuen Raum auf",
    "這個房間進出或收回太多次了，請另開一間",
    "この部屋は出入りや取り消しが多すぎました。新しい部屋を作ってください",
  ],
  taken: ["somebody else sits there", "dort sitzt schon jemand", "這個座位已有人", "その席は使われています"],
  name: ["a name has 1 to 24 characters, no comma, and is nobody else's", "ein Name hat 1 bis 24 Zeichen, kein Komma und gehört niemand anderem", "名字須為 1 至 24 字、不含逗號、且不重複", "名前は1〜24文字で、読点なし、他の人と違うものにしてください"],
  "empty-seats": ["not everybody is there yet", "es sind noch nicht alle da", "尚有空位", "まだ全員そろっていません"],
  late: ["the question has been answered already", "die Frage ist schon beantwortet", "這個問題已經回答過了", "その質問はもう終わっています"],
  illegal: ["this is not among the options", "das steht nicht zur Wahl", "這不在選項中", "選択肢にありません"],
  "undo-denied": [
    "the others have not agreed; ask again after the next answer",
    "die anderen sind nicht einverstanden; frage nach der nächsten Antwort wieder",
    "其他人不同意；下一次回答之後可以再問",
    "他の人が同意していません。次の答えのあとでもう一度頼めます",
  ],
  "not-asked": ["you are not asked anything now", "du wirst gerade nichts gefragt", "現在沒有問你", "今はあなたの番ではありません"],
  "not-seated": ["you have no seat", "du hast keinen Platz", "你沒有座位", "席がありません"],
  "no-undo": ["there is nothing of yours to take back", "es gibt nichts zurückzunehmen", "沒有可收回的步驟", "取り消せる回答がありません"],
  "not-away": ["this player is not away", "diese Person ist da", "這位玩家並未離開", "この人は不在ではありません"],
  "undo-asked": ["somebody has asked for that already", "darum bittet schon jemand", "已有人提出", "すでに申し出があります"],
  "not-over": ["the match is not over", "die Partie läuft noch", "遊戲尚未結束", "まだ終わっていません"],
  "not-stored": ["the answer could not be stored; try again", "die Antwort ließ sich nicht speichern; versuch es noch einmal", "答案無法儲存，請再試一次", "保存できませんでした。もう一度お試しください"],
  record: ["this is not the record of a match that can be looked at here", "das ist keine Aufzeichnung einer Partie, die sich hier ansehen lässt", "這不是可在此觀看的對局紀錄", "ここで見られる棋譜ではありません"],
  "record-rules": ["the rules differ from those of the record", "die Regeln sind andere als die der Aufzeichnung", "規則與紀錄不同", "棋譜とルールが異なります"],
  version: ["load this page again", "lade diese Seite neu", "請重新載入頁面", "ページを再読み込みしてください"],
};

let language = remembered();

/** The language that the address asks for (which is remembered), that was chosen here before, or that the browser wants. */
function remembered() {
  const asked = new URLSearchParams(location.search).get("lang");
  if (LANGUAGES.includes(asked)) keep("language", asked);
  for (const one of [localStorage.getItem("language"), ...navigator.languages].filter(Boolean)) {
    if (LANGUAGES.includes(one)) return one;
    if (/^zh/i.test(one)) return "zh-Hant";
    const found = LANGUAGES.find((known) => known === one.split("-")[0]);
    if (found) return found;
  }
  return "en";
}

export function currentLanguage() {
  return language;
}

export function speak(chosen) {
  language = chosen;
  keep("language", chosen);
}

/** Calls `changed` when another page of this browser has chosen a language, such as the one in a frame. */
export function follow(changed) {
  addEventListener("storage", (event) => {
    if (event.key !== "language" || !LANGUAGES.includes(event.newValue)) return;
    language = event.newValue;
    changed();
  });
}

function filled(row, values) {
  const at = Math.max(0, LANGUAGES.indexOf(language));
  return row[at].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** A phrase with its values. */
export function say(key, values = {}) {
  return filled(ROWS[key], values);
}

/** The reason for a refusal, in words. */
export function why(refusal) {
  return refusal.code in REASONS ? filled(REASONS[refusal.code], {}) : refusal.sentence;
}

/** Names as a list. */
export function listed(names) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(names);
}

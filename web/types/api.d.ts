// The JSON of the API. Generated from its description: python -m tests.web.api_types

declare namespace Api {
  type AdviceView = {
    error_bound: number | null;
    jade: number | null;
    judged: JudgedView | null;
    moves: RatedView[];
    pending: boolean;
    sentence: string;
    solving: SolvingView | null;
    source: EstimateSource | null;
    suggestion: number | null;
    win: number | null;
  };
  type BackupContents = {
    bytes: number;
    cases: number;
    events: number;
    games: number;
    made: string;
    solved: string[];
    sticks: boolean;
    word: string;
  };
  type BasesView = {
    jade: number[];
    obsidian: number[];
  };
  type Begins = "throw_off" | "winner" | "loser";
  type BoardChangeView = {
    base: PairView;
    bases: BasesView;
    fields: FieldsView;
    slain: PairView;
    spaces: { [key: string]: UnitView[] };
    spent: PairView;
    throwers: PairView;
    turn: "jade" | "obsidian";
  };
  type BoardCheck = {
    differences: SpaceDifferenceView[];
    reason: string;
    sentence: string;
    spaces: Top[];
    status: string;
  };
  type BoardSeenView = {
    corrects: boolean;
    counts: boolean;
    differences: SpaceDifferenceView[];
    moves: MadeView[];
    reason: string;
    result: string | null;
    sentence: string;
    spaces: Top[];
    status: "waiting" | "unchanged" | "played" | "illegal" | "unsure" | "off" | "lost";
  };
  type BoardStage = "closed" | "empty" | "corners" | "pieces" | "shown" | "done";
  type BoardTeachingView = {
    busy: Busy | null;
    button: string;
    clear: boolean;
    corners: [number, number][] | null;
    height: number;
    open: boolean;
    position: string;
    possible: boolean;
    problem: string;
    sentence: string;
    spaces: TaughtSpace[];
    spaces_count: number;
    stage: BoardStage;
    step: number;
    taught: boolean;
    title: string;
    width: number;
  };
  type BoardView = {
    base: PairView;
    bases: BasesView;
    cells: (number | null)[];
    columns: number;
    fields: FieldsView;
    slain: PairView;
    spaces: UnitView[][];
    spent: PairView;
    throwers: PairView;
  };
  type Busy = "opening" | "still" | "learning" | "saving" | "lost";
  type Button = "confirm" | "next" | "back";
  type ButtonRequest = {
    button: "confirm" | "next" | "back";
    down: boolean;
    step?: number | null;
  };
  type Calibration = {
    busy: Busy | null;
    button: string;
    faces: boolean;
    height: number;
    lots: Lot[];
    open: boolean;
    other: string;
    possible: boolean;
    problem: string;
    seen: string;
    sentence: string;
    stage: Stage;
    step: number;
    sticks: string;
    throws: boolean[];
    title: string;
    width: number;
  };
  type CalibrationStart = {
    step?: number | null;
    sticks?: string;
  };
  type CalibrationStep = {
    step?: number | null;
  };
  type CameraNow = {
    detail: string;
    sees: boolean;
    sentence: string;
    state: CameraState;
    title: string;
  };
  type CameraPage = {
    page: number;
  };
  type CameraPageRequest = {
    live: boolean;
    step?: number | null;
  };
  type CameraState = "none" | "watching" | "moving" | "lost" | "uncalibrated";
  type CameraView = {
    message: string;
    reading: boolean;
    state: CameraState;
  };
  type Check = "python" | "packages" | "camera" | "focus" | "light" | "tray" | "profile" | "board" | "buttons" | "lamp" | "disk" | "data" | "tables" | "service" | "temperature" | "power" | "clock" | "address";
  type CodeTyped = {
    code?: string;
  };
  type CornersRequest = {
    corners: number[][];
    step?: number | null;
  };
  type CountSource = "camera" | "hand" | "drawn";
  type CountdownView = {
    left: number;
    length: number;
    what: "throw" | "move" | "pass" | "board";
  };
  type DoctorView = {
    findings: FindingView[];
    summary: string;
    well: boolean;
  };
  type EarlierTurnView = {
    sentence: string;
    side: "jade" | "obsidian";
  };
  type EstimateSource = "exact" | "search";
  type Face = "marked" | "plain" | "unknown";
  type Fairness = "uneven" | "probably_uneven" | "leaning" | "even" | "open";
  type FieldsView = {
    jade: UnitView[];
    obsidian: UnitView[];
  };
  type FindingState = "well" | "doubt" | "wrong" | "skipped";
  type FindingView = {
    check: Check;
    cure: string;
    facts: { [key: string]: any };
    says: string;
    state: FindingState;
    title: string;
    word: string;
  };
  type GameReview = {
    done: number;
    review: ReviewView | null;
    rules: RulesView | null;
    scenes: ReviewScene[];
    state: "thinking" | "done";
    teams: TeamsView | null;
    turns: number;
  };
  type Games = {
    games: SavedGame[];
  };
  type Grade = "inaccuracy" | "mistake" | "blunder";
  type Healthy = {
    number: number;
    status: string;
  };
  type HostRequest = {
    host: "me" | "free";
    step?: number | null;
  };
  type InsteadView = {
    came: boolean;
    chance: number;
    values: number[];
    win: number;
  };
  type JudgedView = {
    best: number;
    sentence: string;
    side: "jade" | "obsidian";
    win: number;
  };
  type KeyView = {
    button: Button;
    down: boolean;
    held: string;
    name: string;
    short: string;
  };
  type LampSignal = {
    beats: [number, number][];
    colour: string;
    fade: boolean;
    mood: string;
    rhythm: string;
    says: string;
  };
  type Likeness = "alike" | "together" | "different" | "open";
  type Lot = {
    angle: number;
    confidence: number;
    face: Face;
    outline: [number, number][];
    x: number;
    y: number;
  };
  type MadeView = {
    from: number | "base" | "field";
    to: number | "home" | "field";
    value: number;
  };
  type MatchView = {
    round: number;
    scores: Score[];
    variants: string[];
  };
  type MomentKind = "throw" | "choice";
  type MomentView = {
    kind: MomentKind;
    player: string;
    side: "jade" | "obsidian";
    swing: number;
    title: string;
    turn: number;
    what_if: string;
  };
  type MoveRequest = {
    from: number | "base" | "field";
    step?: number | null;
    to: number | "home" | "field";
    unit?: string | null;
    value?: number | null;
  };
  type MoveView = {
    after: BoardChangeView;
    burns: number;
    captures: number;
    ends: [string, string];
    frees: number;
    from: number | "base" | "field";
    loses: number;
    result: string;
    slays: number;
    to: number | "home" | "field";
    unit: string;
    value: number;
    way: string;
    which: string;
    words: string;
  };
  type NewGameRequest = {
    begins?: "jade" | "obsidian" | null;
    evening?: string[];
    jade?: string | string[];
    obsidian?: string | string[];
    set?: { [key: string]: string | number | boolean | number[] | null };
    step?: number | null;
    variant?: string;
  };
  type Options = {
    advice: boolean;
    advice_after: boolean;
    ask: boolean;
    auto_move: boolean;
    auto_throw: boolean;
    begins: Begins;
    board: boolean;
    board_moves: boolean;
    draw: boolean;
    marked: string;
  };
  type OptionsRequest = {
    advice?: boolean | null;
    advice_after?: boolean | null;
    ask?: boolean | null;
    auto_move?: boolean | null;
    auto_throw?: boolean | null;
    begins?: Begins | null;
    board?: boolean | null;
    board_moves?: boolean | null;
    draw?: boolean | null;
    marked?: string | null;
    step?: number | null;
  };
  type OtherThrow = {
    came: boolean;
    share: number;
    values: string;
    win: string;
  };
  type PairView = {
    jade: number;
    obsidian: number;
  };
  type PanelKind = "gpio" | "mock" | "none";
  type PanelView = {
    hold_s: number;
    keys: KeyView[];
    kind: PanelKind;
    light: LampSignal | null;
    off: Button[];
    off_s: number;
    prompt: string;
  };
  type Phase = "throw_off" | "throw" | "reading" | "move" | "over";
  type PhoneState = {
    let_in: boolean;
    sends: boolean;
    sentence: string;
    subject: Subject;
  };
  type PhoneStates = {
    phones: PhoneState[];
  };
  type PictureWanted = {
    hints: string[];
    number: number;
    sentence: string;
    table: string;
    title: string;
    wanted: Wanted | "open";
  };
  type PiecesRequest = {
    position?: string | null;
    step?: number | null;
  };
  type PlayOnRequest = {
    step?: number | null;
    turn: number;
  };
  type PlayerStrength = {
    level: string;
    name: string;
    words: string;
  };
  type PlayerView = {
    level: string | null;
    name: string;
  };
  type PlayersView = {
    jade: PlayerView;
    obsidian: PlayerView;
  };
  type Problem = {
    problem: string;
    rules?: string[];
  };
  type RatedView = {
    move: number;
    win: number;
  };
  type ReceivedPart = {
    bytes: number;
  };
  type RecordRequest = {
    step?: number | null;
    text: string;
  };
  type RemovePhoneRequest = {
    step?: number | null;
    subject?: "tray" | "board";
  };
  type RenameRequest = {
    name: string;
    step?: number | null;
  };
  type ResignRequest = {
    side?: "jade" | "obsidian" | null;
    step?: number | null;
  };
  type RestoreRequest = {
    word: string;
  };
  type Restoring = {
    restoring: boolean;
  };
  type ReviewMoveView = {
    ends: [string, string];
    from: number | "base" | "field";
    to: number | "home" | "field";
    unit: string;
    value: number;
  };
  type ReviewPlayerView = {
    average_loss: number;
    blunders: number;
    decisions: number;
    inaccuracies: number;
    loss: number;
    luck: number;
    mistakes: number;
    player: string;
    side: "jade" | "obsidian";
  };
  type ReviewScene = {
    better: [string, string][];
    board: BoardView;
    did: string;
    ends: [string, string][];
    now: string;
    others: OtherThrow[];
    position: string;
    threw: string;
    title: string;
    turn: "jade" | "obsidian";
    x: number;
    y: number;
  };
  type ReviewSideView = {
    corrected: number;
    final: number;
    initial: number;
    luck: number;
    name: string;
    play: number;
    side: "jade" | "obsidian";
  };
  type ReviewTurnView = {
    after: number;
    before: number;
    best: ReviewMoveView[];
    best_words: string;
    choice_sentence: string;
    correction: number;
    counts: string;
    decision: boolean;
    error_bound: number | null;
    grade: Grade | null;
    instead: InsteadView[];
    jade: number;
    loss: number;
    luck: number;
    moves: ReviewMoveView[];
    player: string;
    position: string;
    result: string;
    side: "jade" | "obsidian";
    source: "exact" | "search";
    throw_sentence: string;
    thrown: number;
    turn: number;
    values: number[];
    words: string;
  };
  type ReviewView = {
    blunder: number;
    certainty: string;
    error_bound: number | null;
    final: number;
    inaccuracy: number;
    initial: number;
    marked: string;
    mistake: number;
    moments: MomentView[];
    players: ReviewPlayerView[];
    sides: ReviewSideView[];
    source: "exact" | "search";
    start: number;
    thrown_off: boolean;
    turns: ReviewTurnView[];
    variant: string;
    winner: "jade" | "obsidian" | "draw" | null;
  };
  type RulesView = {
    fields: { [key: string]: any };
    fire: number | null;
    name: string;
    pieces: number;
    source: string;
    spaces: number;
    teams: string;
    throws: number;
    values: number[];
  };
  type SavedGame = {
    jade: string[];
    match: number;
    name: string;
    number: number;
    obsidian: string[];
    phase: string;
    position: string;
    updated?: string;
    variant: string;
    winner: "jade" | "obsidian" | "draw" | null;
  };
  type Score = {
    draws: number;
    one: string;
    one_wins: number;
    other: string;
    other_wins: number;
    variant: string;
  };
  type Scores = {
    scores: Score[];
  };
  type SeenView = {
    height: number;
    lots: Lot[];
    picture: string | null;
    width: number;
  };
  type Sets = {
    sets: StickSetView[];
  };
  type Sized = {
    pieces: number | null;
    players: number;
    spaces: number | null;
  };
  type Snapshot = {
    advice: AdviceView;
    begun: boolean;
    board: BoardView;
    board_seen: BoardSeenView | null;
    camera: CameraView;
    chosen: number | null;
    confirm: string | null;
    countdown: CountdownView | null;
    earlier: EarlierTurnView[];
    game: number;
    last: TurnView | null;
    left: number[];
    match: MatchView | null;
    moves: MoveView[];
    number: number;
    options: Options;
    phase: Phase;
    players: PlayersView;
    position: string;
    prompt: string;
    resigned: "jade" | "obsidian" | null;
    revision: number;
    rules: RulesView;
    step: number;
    teams: TeamsView;
    throw: ThrowView | null;
    throw_off: ThrowOffView;
    thrower: string;
    throws: ThrowView[];
    together: string[];
    turn: "jade" | "obsidian";
    under_way: boolean;
    undo: boolean;
    unsure: UnsureView | null;
    variant: string;
    winner: "jade" | "obsidian" | "draw" | null;
  };
  type SolvingView = {
    done: number | null;
    sentence: string;
  };
  type SpaceDifferenceView = {
    expected: Top;
    found: Top;
    space: number;
  };
  type Stage = "closed" | "empty" | "marked" | "plain" | "throw" | "shown" | "doubt" | "done";
  type StepRequest = {
    step?: number | null;
  };
  type StickSetView = {
    advised: string;
    counts: number[];
    fair: number[];
    first: string;
    high: number;
    last: string;
    likeness: Likeness;
    low: number;
    marked: number;
    name: string;
    odd: number | null;
    sentences: string[];
    spread: number | null;
    sticks: string | null;
    sure: number;
    teller: CountSource;
    throws: number;
    verdict: Fairness;
  };
  type Strengths = {
    strengths: PlayerStrength[];
  };
  type Subject = "tray" | "board";
  type TaughtSpace = {
    expected: Top;
    found: Top;
    space: number;
  };
  type TeamsView = {
    jade: PlayerView[];
    obsidian: PlayerView[];
  };
  type ThrowOffView = {
    jade: number | null;
    obsidian: number | null;
  };
  type ThrowRequest = {
    faces?: ("marked" | "plain")[];
    marked: number;
    step?: number | null;
  };
  type ThrowSource = "camera" | "hand" | "button" | "drawn";
  type ThrowView = {
    confidence: number;
    marked: number;
    seen: SeenView | null;
    source: ThrowSource;
    value: number;
  };
  type TicketRequest = {
    ticket?: string;
  };
  type Top = "jade" | "obsidian" | "empty" | "unclear";
  type TurnView = {
    from: number | "base" | "field" | null;
    marked: number;
    moves: MadeView[];
    player: string;
    sentence: string;
    side: "jade" | "obsidian";
    to: number | "home" | "field" | null;
    value: number;
  };
  type UnitView = {
    captives: number;
    home: boolean;
    own: number;
    owner: "jade" | "obsidian";
    player: string | null;
    way: "up" | "down" | "left" | "right" | null;
  };
  type UnsureView = {
    reason: string;
    seen: SeenView;
    sentence: string;
  };
  type VariantView = {
    id: string;
    name: string;
    rules: { [key: string]: any };
    sizes: Sized[];
    source: string;
  };
  type Variants = {
    variants: VariantView[];
  };
  type VerdictRequest = {
    right: boolean;
    step?: number | null;
  };
  type Wanted = "nothing" | "small" | "large";
  type Welcome = {
    host: boolean;
    host_here: boolean;
    play: boolean;
    players: number;
    watching: number;
  };
}

"""Invented programs, for a demo without package lists: made from the words below.

Most words mean the same in both domains, programs with windows and command line tools. Some
occur in one domain only. Others change their meaning: an "editor" with windows edits
pictures, one for the command line edits text. That is why pooling both domains misleads.
"""
import random

ROWS = {"source": 400, "target": 40, "test": 400}

# Words that mean the same everywhere.
COMMON = {
    "games": "puzzle arcade chess maze adventure quiz dice opponent",
    "graphics": "image picture photo colour pixel drawing bitmap scan",
    "mail": "mail mailbox inbox letter recipient spam attachment newsletter",
    "net": "network download server proxy traffic address bandwidth website",
    "sound": "audio music sound recording volume melody microphone noise",
    "text": "text word document spelling paragraph dictionary line manual",
}
# Words of one domain.
OWN = {
    "graphical": {
        "games": "jewels racing platform kart castle bubbles",
        "graphics": "canvas brush palette sketch slideshow gallery",
        "mail": "notifier contacts reader signature folders calendar",
        "net": "bookmarks tabs chat messenger hotspot feeds",
        "sound": "equalizer synthesizer visualizer jukebox sampler knobs",
        "text": "fonts notes outline wordprocessor bullets margins",
    },
    "commandline": {
        "games": "fortune roguelike hangman trivia dungeon riddle",
        "graphics": "thumbnails exif convert dither raster png",
        "mail": "smtp maildir mbox queue sendmail bounce",
        "net": "ping dns http packets firewall telnet",
        "sound": "mp3 encoder ripper playlist bpm wav",
        "text": "regex diff grep columns markdown unicode",
    },
}
# Words that mean one thing to graphical programs, and another to command line tools.
SHIFTED = [
    ("editor", "graphics", "text"), ("filter", "graphics", "mail"), ("card", "games", "sound"),
    ("map", "games", "net"), ("frame", "graphics", "net"), ("channel", "sound", "net"),
    ("port", "games", "net"), ("score", "games", "sound"), ("viewer", "graphics", "text"),
    ("match", "games", "text"), ("client", "mail", "net"), ("player", "sound", "games"),
    ("pattern", "graphics", "text"), ("track", "games", "sound"), ("header", "text", "mail"),
    ("browser", "net", "text"), ("board", "games", "mail"), ("layer", "graphics", "net"),
]
PLAIN = "simple small fast light modern handy tiny flexible portable clever plain free".split()
KIND = {
    "graphical": "window program desktop application applet panel toolbox".split(),
    "commandline": "command tool script utility program batch helper".split(),
}
SHAPES = [
    "{plain} {a} {kind} with {b} and {c}",
    "{a} and {b} {kind} for {c}",
    "{plain} {kind} for {a}, {b} and {c}",
    "{a} {kind}: {plain} {b} with {c}",
    "shows {a} and {b} in a {plain} {c} {kind}",
]


def topic_word(rng, label, domain):
    """Returns a word that hints at `label` in `domain`; one word in five hints at nothing."""
    place = 1 if domain == "graphical" else 2
    shifted = [entry[0] for entry in SHIFTED if entry[place] == label]
    roll = rng.random()
    if roll < 0.2 and shifted:
        return rng.choice(shifted)
    if roll < 0.4:
        return rng.choice(OWN[domain][label].split())
    if roll < 0.8:
        return rng.choice(COMMON[label].split())
    return rng.choice(COMMON[rng.choice(sorted(COMMON))].split())


def row(rng, domain):
    label = rng.choice(sorted(COMMON))
    words = {name: topic_word(rng, label, domain) for name in "abc"}
    text = rng.choice(SHAPES).format(plain=rng.choice(PLAIN), kind=rng.choice(KIND[domain]),
                                     **words)
    return label, text, domain


def sample_rows(seed=1):
    """Rows (label, text, domain) to learn from, and others to test on."""
    rng = random.Random(seed)
    source = [row(rng, "graphical") for _ in range(ROWS["source"])]
    target = [row(rng, "commandline") for _ in range(ROWS["target"])]
    known = {text for _, text, _ in target}
    test = [row(rng, "commandline") for _ in range(ROWS["test"])]
    return source + target, [r for r in test if r[1] not in known]

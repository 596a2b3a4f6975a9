"""Completion scripts for bash, zsh and fish, from the tables of akin.

make() gives (shell, text) for each. All three complete commands, the options of
a command and of the learner on the line, and the values that an option takes.
"""
import re

FILES = re.compile(r"\b(FILE|MODEL|DIR2?|INDEX|COLLECTION|CSV|A B)\b")
NOTE = "completion for akin. Made by tools/gen.py; do not edit."


class Option:
    """A flag, the words that its value may be, and whether files are values."""

    def __init__(self, flag, argument, help_, methods=()):
        self.flag, self.argument, self.help = flag, argument, help_
        self.words = list(methods) if argument == "METHOD" else \
            fixed_words(argument)
        self.files = bool(FILES.search(argument or ""))


class Command:
    """A command, its options, and the words that come first after it."""

    def __init__(self, c, learners, commands, methods):
        rows = [o for g in c["groups"] for o in g["options"]]
        self.name, self.summary = c["name"], c["summary"]
        self.parameters = c["takes_parameters"]
        self.options = [Option(o["name"], o["argument"], o["help"], methods)
                        for o in rows if not o["positional"]]
        first = next((o for o in rows if o["positional"]), None)
        self.first = [] if first is None else \
            {"LEARNER": ["auto"] * (self.name == "train") +
                        [l["name"] for l in learners
                         if l["trains"] or not self.parameters],
             "COMMAND": commands + [l["name"] for l in learners]}.get(
                first["name"], fixed_words(first["argument"]))


def fixed_words(argument):
    """The words of "auto|0|1" that stand for themselves."""
    return [w for w in (argument or "").split("|")
            if w and not w[0].isupper() and "|" in argument]


def learner_options(learner):
    for o in learner["options"]:
        argument = o["choices"] or ("N" if o["type"] == "integer" else "X")
        yield Option(o["flag"], argument, o["help"])


def flags_of(options):
    return " ".join("--" + o.flag for o in options)


# ---- bash -------------------------------------------------------------------

BASH = """# bash {note}
_akin_words() {{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}}

# The options of the learner on the line.
_akin_parameters() {{
    local word
    for word in "${{COMP_WORDS[@]:2}}"; do
        case $word in
{parameters}
        esac
    done
}}

# The words that an option takes; fails where they are free.
_akin_values() {{
    case "$1 $2" in
{values}
    *) return 1 ;;
    esac
}}

_akin() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}
    local command=${{COMP_WORDS[1]}} values
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _akin_words "{commands} --version"
        return
    fi
    if [ "$cur" = = ]; then
        cur=
    elif [ "$prev" = = ]; then
        prev=${{COMP_WORDS[COMP_CWORD-2]}}
    fi
    if values=$(_akin_values "$command" "$prev"); then
        _akin_words "$values"
        return
    fi
    case $command in
{options}
    esac
    [ ${{#COMPREPLY[@]}} -gt 0 ] ||
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}}
complete -o filenames -F _akin akin
"""


def bash_command(c):
    more = " $(_akin_parameters)" if c.parameters else ""
    out = (f"    {c.name})\n        [[ $cur == -* ]] && _akin_words "
           f'"{flags_of(c.options)}{more}"\n')
    if c.first:
        out += (f'        [ "$COMP_CWORD" -eq 2 ] && '
                f'_akin_words "{" ".join(c.first)}"\n')
    return out + "        ;;"


def bash(commands, learners):
    parameters = [f'        {name}) echo "{flags_of(options)}" ;;'
                  for name, options in learners.items()]
    values = {}  # by pattern: words of all learners that have the option
    for options in learners.values():
        for o in options:
            pattern = " | ".join(f'"{c.name} --{o.flag}"' for c in commands
                                 if c.parameters)
            values.setdefault(pattern, {}).update(dict.fromkeys(o.words))
    for c in commands:
        values.update((f'"{c.name} --{o.flag}"', o.words) for o in c.options)
    lines = [f'    {pattern}) echo "{" ".join(words)}" ;;'
             for pattern, words in values.items() if words]
    return BASH.format(note=NOTE, parameters="\n".join(parameters),
                       values="\n".join(lines),
                       commands=" ".join(c.name for c in commands),
                       options="\n".join(map(bash_command, commands)))


# ---- zsh --------------------------------------------------------------------

ZSH = """#compdef akin
# zsh {note}

# The options of the learner on the line.
_akin_parameters() {{
    local word
    for word in $words; do
        case $word in
{parameters}
        esac
    done
}}

_akin() {{
    local -a commands options
    if (( CURRENT == 2 )); then
        commands=(
{commands}
        )
        _describe -t commands 'akin command' commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
{options}
    esac
    _arguments $options '*:file:_files'
}}

_akin "$@"
"""


def zsh_quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_action(o, name):
    """What _arguments completes for one value of an option."""
    words = " ".join(o.words)
    if o.files and o.words:
        return f":{name}:{{_values {name} {words}; _files}}"
    return f":{name}:" + ("_files" if o.files else f"({words})" if words else " ")


def zsh_option(o):
    help_ = re.sub(r"([\[\]:\\])", r"\\\1", o.help)
    if o.argument is None:
        return zsh_quote(f"--{o.flag}[{help_}]")
    names = re.sub(r"[^A-Za-z0-9 ]+", "-", o.argument).split()
    many = "*" if "many times" in o.help else ""
    return zsh_quote(f"{many}--{o.flag}=[{help_}]" +
                     "".join(zsh_action(o, name) for name in names))


def zsh_command(c):
    specs = [zsh_option(o) for o in c.options]
    if c.first:
        specs.insert(0, zsh_quote(f"1: :({' '.join(c.first)})"))
    out = (f"    {c.name})\n        options=(\n            " +
           "\n            ".join(specs) + "\n        )\n")
    return out + "        _akin_parameters\n" * c.parameters + "        ;;"


def zsh(commands, learners):
    parameters = [f"        {name})\n            options+=(" +
                  "".join(f"\n                {zsh_option(o)}"
                          for o in options) + "\n            )\n            ;;"
                  for name, options in learners.items() if options]
    names = ["            " + zsh_quote(f"{c.name}:{c.summary}")
             for c in commands]
    return ZSH.format(note=NOTE, parameters="\n".join(parameters),
                      commands="\n".join(names),
                      options="\n".join(map(zsh_command, commands)))


# ---- fish -------------------------------------------------------------------

FISH = """# fish {note}

# Whether one of these is the command on the line.
function __akin_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

# Whether one of these learners is on the line of a command that takes one.
function __akin_learner
    __akin_command {takers}; or return 1
    for word in (commandline -opc)
        contains -- $word $argv; and return 0
    end
    return 1
end

# Whether the next word is the first one after one of these commands.
function __akin_first
    test (count (commandline -opc)) -eq 2; and __akin_command $argv
end

complete -c akin -n 'test (count (commandline -opc)) -eq 1' -f -l version
"""


def fish_quote(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_option(o, condition):
    takes = ""
    if o.argument is not None:
        takes = " -r -F" if o.files else " -x"
    words = f" -a {fish_quote(' '.join(o.words))}" if o.words else ""
    return (f"complete -c akin -n {fish_quote(condition)} -l {o.flag}{takes}"
            f"{words} -d {fish_quote(o.help)}\n")


def fish_options(condition, owners):
    """One line for an option that several commands or learners share."""
    shared = {}
    for name, options in owners:
        for o in options:
            shared.setdefault((o.flag, o.argument, o.help), (o, []))[1] \
                .append(name)
    return "".join(fish_option(o, f"{condition} {' '.join(names)}")
                   for o, names in shared.values())


def fish(commands, learners):
    out = FISH.format(note=NOTE, takers=" ".join(
        c.name for c in commands if c.parameters))
    for c in commands:
        out += ("complete -c akin -n 'test (count (commandline -opc)) -eq 1' -f "
                f"-a {c.name} -d {fish_quote(c.summary)}\n")
    for c in commands:
        if c.first:
            out += (f"complete -c akin -n '__akin_first {c.name}' -f "
                    f"-a {fish_quote(' '.join(c.first))}\n")
    out += fish_options("__akin_command", [(c.name, c.options)
                                           for c in commands])
    return out + fish_options("__akin_learner", learners.items())


# ---- all --------------------------------------------------------------------

def make(help_, learners):
    methods = [m["name"] for m in help_["naming_methods"]]
    all_ = [c["name"] for c in help_["commands"]]
    commands = [Command(c, learners, all_, methods) for c in help_["commands"]]
    parameters = {l["name"]: list(learner_options(l)) for l in learners}
    for shell in bash, zsh, fish:
        yield shell.__name__, shell(commands, parameters)

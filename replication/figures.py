"""Line charts as SVG: pure functions from numbers to text."""
import math

COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377"]
WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 56, 110, 16, 44


def line_chart(series, x_title, y_title, logarithmic=False):
    """`series`: {name: [(x, y), ...]}."""
    xs = [x for points in series.values() for x, _ in points]
    ys = [y for points in series.values() for _, y in points]
    low, high = min(ys), max(ys)
    margin = 0.05 * (high - low) or 1
    across = _scale(min(xs), max(xs), LEFT, WIDTH - RIGHT, logarithmic)
    up = _scale(low - margin, high + margin, HEIGHT - BOTTOM, TOP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']
    for y in _ticks(low, high):
        parts.append(f'<path d="M{LEFT} {up(y):.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>'
                     f'<text x="{LEFT - 6}" y="{up(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x in sorted(set(xs)) if len(set(xs)) <= 8 else _ticks(min(xs), max(xs)):
        parts.append(f'<text x="{across(x):.1f}" y="{HEIGHT - BOTTOM + 18}" '
                     f'text-anchor="middle">{x:g}</text>')
    for place, (name, points) in enumerate(series.items()):
        colour = COLOURS[place % len(COLOURS)]
        path = "L".join(f"{across(x):.1f} {up(y):.1f}" for x, y in points)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
                     f'<text x="{WIDTH - RIGHT + 10}" y="{TOP + 12 + 18 * place}" '
                     f'fill="{colour}">{name}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" '
                 f'text-anchor="middle">{x_title}</text>'
                 f'<text transform="translate(14 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" '
                 f'text-anchor="middle">{y_title}</text></svg>')
    return "\n".join(parts) + "\n"


def _scale(low, high, start, end, logarithmic=False):
    change = math.log if logarithmic else float
    span = change(high) - change(low) or 1
    return lambda value: start + (end - start) * (change(value) - change(low)) / span


def _ticks(low, high):
    step = 10 ** math.floor(math.log10((high - low) or 1))
    step = next(s for s in (step / 5, step / 2, step, 2 * step) if (high - low) / s <= 6)
    first = math.ceil(low / step)
    return [round((first + i) * step, 10) for i in range(int((high - low) / step) + 1)
            if (first + i) * step <= high]

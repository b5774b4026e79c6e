"""The dark form of a picture: its lightness turned around, its hues kept."""

import io

from PIL import Image, ImageCms

DARKEST, LIGHTEST = 8, 92  # of 100: white and black become about the paper and the ink of a dark page
SRGB, LAB = ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB")
TO_LAB = ImageCms.buildTransform(SRGB, LAB, "RGB", "LAB")
TO_RGB = ImageCms.buildTransform(LAB, SRGB, "LAB", "RGB")


def dark(png):
    """The PNG in its dark form; it must have a palette, as all pictures of a notebook have."""
    picture = Image.open(io.BytesIO(png))
    palette = bytes(picture.getpalette())
    colours = Image.frombytes("RGB", (len(palette) // 3, 1), palette)
    lightness, *hue = ImageCms.applyTransform(colours, TO_LAB).split()  # lightness from 0 to 255
    turned = lightness.point(lambda x: round(2.55 * LIGHTEST - x * (LIGHTEST - DARKEST) / 100))
    picture.putpalette(ImageCms.applyTransform(Image.merge("LAB", (turned, *hue)), TO_RGB).tobytes())
    found = io.BytesIO()
    picture.save(found, "PNG")
    return found.getvalue()

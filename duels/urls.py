"""The addresses of the duels."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

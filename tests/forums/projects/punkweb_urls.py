"""The forum's pages, where its README puts them."""

from django.urls import include, path

urlpatterns = [path("forum/", include("punkweb_bb.urls"))]
